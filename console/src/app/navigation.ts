import type { AuthScheme } from '../api/session.ts'
import type { OperatorPermission } from '../api/types.ts'
import type { IconName } from '../design/icons.tsx'
import type { Language } from '../i18n/language.ts'
import { operatorNavigation } from './operator-routes.ts'

export interface NavigationItem {
  /** Within the console. */
  to: string
  /** Whether it is shown as open on that very page alone, not on those below it. */
  isExact?: boolean
  /** What an operator needs to see anything on it. Without it, the page is open to every operator. */
  permission?: OperatorPermission
  /** Whether the page concerns all sites, so that operators limited to some may not use it. */
  isOfAllSites?: boolean
  icon: IconName
  label: Readonly<Record<Language, string>>
}

export interface NavigationGroup {
  title: Readonly<Record<Language, string>>
  /** Shown to whom this is open. */
  authScheme: AuthScheme | 'either'
  items: readonly NavigationItem[]
}

const integratorNavigation: NavigationGroup[] = [
  {
    title: { en: 'Build', es: 'Desarrollar', pt: 'Desenvolver' },
    authScheme: 'user',
    items: [
      {
        to: '/applications',
        icon: 'apps',
        label: { en: 'Applications', es: 'Aplicaciones', pt: 'Aplicativos' },
      },
    ],
  },
  {
    title: { en: 'Test', es: 'Probar', pt: 'Testar' },
    authScheme: 'either',
    items: [
      {
        to: '/tokens',
        permission: 'users:credentials',
        isOfAllSites: true,
        icon: 'key',
        label: { en: 'Tokens', es: 'Tokens', pt: 'Tokens' },
      },
      {
        to: '/try',
        icon: 'send',
        label: { en: 'API explorer', es: 'Explorador de la API', pt: 'Explorador da API' },
      },
    ],
  },
]

/** The only list of what the navigation leads to. */
export const navigation: readonly NavigationGroup[] = [
  ...integratorNavigation,
  ...operatorNavigation,
]
