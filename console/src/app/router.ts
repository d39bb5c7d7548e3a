import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Failed, NotFound } from './Fallbacks.tsx'
import { integratorRoutes } from './integrator-routes.ts'
import { operatorRoutes } from './operator-routes.ts'
import { Shell } from './Shell.tsx'
import { Welcome } from './Welcome.tsx'

export function makeRouter() {
  const root = createRootRoute({ component: Shell })
  const welcome = createRoute({ getParentRoute: () => root, path: '/', component: Welcome })
  return createRouter({
    routeTree: root.addChildren([welcome, ...integratorRoutes(root), ...operatorRoutes(root)]),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Failed,
    scrollRestoration: true,
  })
}
