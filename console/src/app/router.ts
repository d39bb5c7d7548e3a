import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { type QueryParameters, withQuery } from '../api/client.ts'
import { PageError, PageNotFound } from './frame/Fallbacks.tsx'
import { Shell } from './frame/Shell.tsx'
import { Welcome } from './frame/Welcome.tsx'
import { integratorRoutes } from './integrator-routes.ts'
import { operatorRoutes } from './operator-routes.ts'

export function makeRouter() {
  const root = createRootRoute({ component: Shell })
  const welcome = createRoute({ getParentRoute: () => root, path: '/', component: Welcome })
  return createRouter({
    routeTree: root.addChildren([welcome, ...integratorRoutes(root), ...operatorRoutes(root)]),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultNotFoundComponent: PageNotFound,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    // Addresses as people write them: every value is a text.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => withQuery('', search as QueryParameters),
  })
}
