import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { applicationRoutes } from './application-routes.ts'
import type { NavigationGroup } from './navigation.ts'

type PageLoader = Parameters<typeof lazyRouteComponent>[0]

/** Every page of the operator's, below `/operator`. */
const pages: readonly (readonly [path: string, load: PageLoader])[] = [
  ['/', () => import('../pages/operator/overview/Overview.tsx')],
  ['orders', () => import('../pages/operator/orders/Orders.tsx')],
  ['orders/$orderId', () => import('../pages/operator/orders/Order.tsx')],
  ['conversations', () => import('../pages/operator/conversations/Conversations.tsx')],
  [
    'conversations/$packId/$sellerId',
    () => import('../pages/operator/conversations/Conversation.tsx'),
  ],
  ['moderation', () => import('../pages/operator/conversations/Moderation.tsx')],
  ['catalogue', () => import('../pages/operator/catalog/Catalog.tsx')],
  ['catalogue/predictor', () => import('../pages/operator/catalog/Predictor.tsx')],
  ['catalogue/versions', () => import('../pages/operator/catalog/Versions.tsx')],
  ['users', () => import('../pages/operator/users/Users.tsx')],
  ['users/$userId', () => import('../pages/operator/users/User.tsx')],
  ['jobs', () => import('../pages/operator/jobs/Jobs.tsx')],
  ['jobs/$jobId', () => import('../pages/operator/jobs/Job.tsx')],
  ['account', () => import('../pages/operator/own-account/OwnAccount.tsx')],
  ['accounts', () => import('../pages/operator/accounts/Accounts.tsx')],
  ['accounts/$accountId', () => import('../pages/operator/accounts/Account.tsx')],
  ['roles', () => import('../pages/operator/roles/Roles.tsx')],
  ['roles/$roleName', () => import('../pages/operator/roles/Role.tsx')],
  ['new-role', () => import('../pages/operator/roles/NewRole.tsx')],
  ['keys', () => import('../pages/operator/accounts/Keys.tsx')],
  ['audit', () => import('../pages/operator/audit/Audit.tsx')],
  ['sandbox', () => import('../pages/operator/sandbox/Sandbox.tsx')],
]

/** The operator's pages; each is loaded when it is opened. */
export function operatorRoutes(parent: AnyRoute): AnyRoute[] {
  const area = createRoute({
    getParentRoute: () => parent,
    path: 'operator',
    staticData: { authScheme: 'operator' },
  })
  const own = pages.map(([path, load]) =>
    createRoute({ getParentRoute: () => area, path, component: lazyRouteComponent(load) }),
  )
  // Whoever has only the link of an invitation is not signed in yet.
  const invitation = createRoute({
    getParentRoute: () => parent,
    path: 'invitation',
    component: lazyRouteComponent(() => import('../pages/operator/invitation/Invitation.tsx')),
  })
  return [area.addChildren([...own, ...applicationRoutes(area)]), invitation]
}

export const operatorNavigation: NavigationGroup[] = [
  {
    title: { en: 'Operate', es: 'Operar', pt: 'Operar' },
    authScheme: 'operator',
    items: [
      {
        to: '/operator',
        permission: 'orders:read',
        isOfAllSites: true,
        isExact: true,
        icon: 'chart',
        label: { en: 'Overview', es: 'Resumen', pt: 'Visão geral' },
      },
      {
        to: '/operator/orders',
        permission: 'orders:read',
        icon: 'orders',
        label: { en: 'Orders', es: 'Órdenes', pt: 'Pedidos' },
      },
      {
        to: '/operator/conversations',
        permission: 'messages:read',
        icon: 'messages',
        label: { en: 'Conversations', es: 'Conversaciones', pt: 'Conversas' },
      },
      {
        to: '/operator/moderation',
        permission: 'moderation:read',
        icon: 'flag',
        label: { en: 'Moderation', es: 'Moderación', pt: 'Moderação' },
      },
      {
        to: '/operator/catalogue',
        permission: 'catalog:read',
        icon: 'tree',
        label: { en: 'Catalog', es: 'Catálogo', pt: 'Catálogo' },
      },
      {
        to: '/operator/users',
        permission: 'users:read',
        icon: 'people',
        label: { en: 'Users', es: 'Usuarios', pt: 'Usuários' },
      },
      {
        to: '/operator/applications',
        permission: 'applications:read',
        isOfAllSites: true,
        icon: 'apps',
        label: {
          en: 'All applications',
          es: 'Todas las aplicaciones',
          pt: 'Todos os aplicativos',
        },
      },
      {
        to: '/operator/jobs',
        permission: 'jobs:read',
        icon: 'play',
        label: { en: 'Jobs', es: 'Tareas', pt: 'Tarefas' },
      },
      {
        to: '/operator/sandbox',
        permission: 'sandbox:read',
        isOfAllSites: true,
        icon: 'clock',
        label: { en: 'Sandbox', es: 'Sandbox', pt: 'Sandbox' },
      },
    ],
  },
  {
    title: { en: 'Access', es: 'Acceso', pt: 'Acesso' },
    authScheme: 'operator',
    items: [
      {
        to: '/operator/accounts',
        permission: 'accounts:manage',
        isOfAllSites: true,
        icon: 'people',
        label: {
          en: 'Operator accounts',
          es: 'Cuentas de operador',
          pt: 'Contas de operador',
        },
      },
      {
        to: '/operator/roles',
        permission: 'accounts:manage',
        isOfAllSites: true,
        icon: 'lock',
        label: { en: 'Roles', es: 'Roles', pt: 'Funções' },
      },
      {
        to: '/operator/keys',
        permission: 'keys:manage',
        isOfAllSites: true,
        icon: 'key',
        label: { en: 'API keys', es: 'Claves de API', pt: 'Chaves de API' },
      },
      {
        to: '/operator/audit',
        permission: 'audit:read',
        isOfAllSites: true,
        icon: 'book',
        label: { en: 'Audit log', es: 'Registro de auditoría', pt: 'Registro de auditoria' },
      },
    ],
  },
]
