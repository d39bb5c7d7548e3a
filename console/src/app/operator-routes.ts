import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { applicationRoutes } from './application-routes.ts'
import type { NavigationGroup } from './navigation.ts'

/** The operator's pages; each is loaded when it is opened. */
export function operatorRoutes(parent: AnyRoute): AnyRoute[] {
  const area = createRoute({
    getParentRoute: () => parent,
    path: 'operator',
    staticData: { door: 'operator' },
  })
  return [area.addChildren(applicationRoutes(area))]
}

export const operatorNavigation: NavigationGroup[] = [
  {
    title: { en: 'Operate', es: 'Operar', pt: 'Operar' },
    door: 'operator',
    items: [
      {
        to: '/operator/applications',
        icon: 'apps',
        label: {
          en: 'All applications',
          es: 'Todas las aplicaciones',
          pt: 'Todos os aplicativos',
        },
      },
    ],
  },
]
