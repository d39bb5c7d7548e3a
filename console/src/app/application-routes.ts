import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** Applications and what belongs to one: their owner's pages, and the same under `/operator`. */
export function applicationRoutes(parent: AnyRoute): AnyRoute[] {
  const list = createRoute({
    getParentRoute: () => parent,
    path: 'applications',
    component: lazyRouteComponent(() => import('../pages/integrator/Applications.tsx')),
  })
  return [list]
}
