import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { applicationRoutes } from './application-routes.ts'

/** The integrator's pages; each is loaded when it is opened. */
export function integratorRoutes(parent: AnyRoute): AnyRoute[] {
  const getParentRoute = () => parent
  const area = createRoute({ getParentRoute, id: 'integrator', staticData: { authScheme: 'user' } })
  const tokens = createRoute({
    getParentRoute,
    path: 'tokens',
    staticData: { authScheme: 'either' },
    component: lazyRouteComponent(() => import('../pages/integrator/tokens/Tokens.tsx')),
  })
  const attempt = createRoute({
    getParentRoute,
    path: 'try',
    staticData: { authScheme: 'either' },
    validateSearch: ({ op }: Record<string, unknown>): { op?: string } =>
      typeof op === 'string' ? { op } : {},
    component: lazyRouteComponent(() => import('../pages/integrator/try/Try.tsx')),
  })
  return [area.addChildren(applicationRoutes(area)), tokens, attempt]
}
