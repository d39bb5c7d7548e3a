import type { Query } from './client.ts'
import type { Door } from './session.ts'

/** Where an application and what belongs to it are, by either door. */
export function pathsOf(door: Door, id: number | string) {
  const base = door === 'operator' ? `/operator/applications/${id}` : `/applications/${id}`
  const feed = (name: 'myfeeds' | 'missed_feeds'): { path: string; query: Query } =>
    door === 'operator'
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

export const applicationsPath = (door: Door) =>
  door === 'operator' ? '/operator/applications' : '/applications'
