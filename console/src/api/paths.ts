import type { QueryParameters } from './client.ts'
import type { AuthScheme } from './session.ts'

/** Returns the paths of an application and its resources for an auth scheme. */
export function applicationPathsOf(authScheme: AuthScheme, id: number | string) {
  const base = authScheme === 'operator' ? `/operator/applications/${id}` : `/applications/${id}`
  const feed = (name: 'myfeeds' | 'missed_feeds'): { path: string; query: QueryParameters } =>
    authScheme === 'operator'
      ? { path: `${base}/${name}`, query: {} }
      : { path: `/${name}`, query: { app_id: id } }
  return {
    application: base,
    secret: `${base}/secret`,
    signing: `${base}/signing-secrets`,
    grants: `${base}/grants`,
    queue: `${base}/queue`,
    explain: `${base}/notifications/explain`,
    retry: (notificationId: string) => `${base}/notifications/${notificationId}/retry`,
    replays: `${base}/replays`,
    feed,
  }
}

export const applicationsPath = (authScheme: AuthScheme) =>
  authScheme === 'operator' ? '/operator/applications' : '/applications'
