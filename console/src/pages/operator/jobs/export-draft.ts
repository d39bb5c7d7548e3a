import type { ExportedName } from '../../../api/lists.ts'

/** An export as it is typed in. Empty fields do not filter. */
export interface ExportDraft {
  of: ExportedName
  format: 'ndjson' | 'csv'
  seller: string
  site: string
  /** Days, such as `2026-03-10`. */
  from: string
  to: string
}

export const emptyDraft: ExportDraft = {
  of: 'orders',
  format: 'csv',
  seller: '',
  site: '',
  from: '',
  to: '',
}

/** Returns whether an export has a filter. */
export function hasFilter(of: ExportedName, name: 'seller' | 'site_id'): boolean {
  if (of === 'audit_log') return false
  return name === 'site_id' || of !== 'users'
}

/** The parameters of the first and the last moment. */
function momentNames(of: ExportedName): readonly [from: string, to: string] {
  if (of === 'audit_log') return ['from', 'to']
  const created = of === 'orders' ? 'order.date_created' : 'date_created'
  return [`${created}.from`, `${created}.to`]
}

/** Returns the parameters of the job. Days are those of UTC, the last one included. */
export function parametersOf({ of, format, seller, site, from, to }: ExportDraft): object {
  const [fromName, toName] = momentNames(of)
  const filter = {
    ...(seller && hasFilter(of, 'seller') ? { seller: Number(seller) } : {}),
    ...(site && hasFilter(of, 'site_id') ? { site_id: site } : {}),
    ...(from ? { [fromName]: `${from}T00:00:00.000Z` } : {}),
    ...(to ? { [toName]: `${to}T23:59:59.999Z` } : {}),
  }
  return { of, format, filter }
}
