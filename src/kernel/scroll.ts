import { hash } from 'node:crypto'

/** The identity of a scan: its operation, owner, filters and order. */
export type ScanKey = readonly unknown[]

/** Returns the opaque `scroll_id` that encodes the position of a scan. The caller sends it to get the next page. */
export function scrollIdOf(key: ScanKey, fields: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([...fields, fingerprint(key)])).toString('base64url')
}

/** Returns the fields of a `scroll_id`, or an empty list if it is malformed or belongs to another scan. */
export function scrollFields(scrollId: string, key: ScanKey): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(scrollId, 'base64url').toString())
    if (!Array.isArray(parts) || parts.at(-1) !== fingerprint(key)) return []
    return parts.slice(0, -1)
  } catch {
    return []
  }
}

/** Distinguishes scans. It needs no secret: a forged id still shows callers only their own rows. */
function fingerprint(key: ScanKey): string {
  return hash('sha256', JSON.stringify(key), 'base64url').slice(0, 16)
}
