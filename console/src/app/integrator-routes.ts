import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { applicationRoutes } from './application-routes.ts'

/** The integrator's pages; each is loaded when it is opened. */
export function integratorRoutes(parent: AnyRoute): AnyRoute[] {
  const area = createRoute({
    getParentRoute: () => parent,
    id: 'integrator',
    staticData: { door: 'user' },
  })
  return [area.addChildren(applicationRoutes(area))]
}
