import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

const validateTextParameters =
  (...names: string[]) =>
  (search: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return value === undefined || value === '' ? [] : [[name, String(value)]]
      }),
    )

/** Applications and what belongs to one: their owner's pages, and the same under `/operator`. */
export function applicationRoutes(parent: AnyRoute): AnyRoute[] {
  const getParentRoute = () => parent
  const list = createRoute({
    getParentRoute,
    path: 'applications',
    component: lazyRouteComponent(() => import('../pages/integrator/Applications.tsx')),
  })
  const make = createRoute({
    getParentRoute,
    path: 'applications/new',
    component: lazyRouteComponent(() => import('../pages/integrator/NewApplication.tsx')),
  })
  const one = createRoute({
    getParentRoute,
    path: 'applications/$id',
    component: lazyRouteComponent(() => import('../pages/integrator/application/Layout.tsx')),
  })
  const within = () => one
  const tabs = [
    createRoute({
      getParentRoute: within,
      path: '/',
      component: lazyRouteComponent(() => import('../pages/integrator/application/Overview.tsx')),
    }),
    createRoute({
      getParentRoute: within,
      path: 'feed',
      validateSearch: validateTextParameters(
        'topic',
        'outcome',
        'resource',
        'from',
        'to',
        'missed',
      ),
      component: lazyRouteComponent(() => import('../pages/integrator/feed/Feed.tsx')),
    }),
    createRoute({
      getParentRoute: within,
      path: 'explain',
      validateSearch: validateTextParameters('resource', 'topic'),
      component: lazyRouteComponent(() => import('../pages/integrator/delivery/Explain.tsx')),
    }),
    createRoute({
      getParentRoute: within,
      path: 'replays',
      component: lazyRouteComponent(() => import('../pages/integrator/delivery/Replays.tsx')),
    }),
    createRoute({
      getParentRoute: within,
      path: 'grants',
      component: lazyRouteComponent(() => import('../pages/integrator/application/Grants.tsx')),
    }),
    createRoute({
      getParentRoute: within,
      path: 'settings',
      component: lazyRouteComponent(() => import('../pages/integrator/application/Settings.tsx')),
    }),
  ]
  return [list, make, one.addChildren(tabs)]
}
