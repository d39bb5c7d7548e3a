import { hash } from 'node:crypto'

/** What one scan goes through and no other does: the operation, the owner, the filters and the order. */
export type ScanKey = readonly unknown[]

/** Returns where a scan stands, as callers carry it from one page to the next. It is opaque to them. */
export function scrollIdOf(key: ScanKey, fields: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([...fields, fingerprint(key)])).toString('base64url')
}

/** Returns what the id of this scan was made of, and nothing where it is none or that of another scan. */
export function scrollFields(scrollId: string, key: ScanKey): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(scrollId, 'base64url').toString())
    if (!Array.isArray(parts) || parts.at(-1) !== fingerprint(key)) return []
    return parts.slice(0, -1)
  } catch {
    return []
  }
}

/** Tells scans apart. It is no secret: callers find only what is theirs, whatever id they make. */
function fingerprint(key: ScanKey): string {
  return hash('sha256', JSON.stringify(key), 'base64url').slice(0, 16)
}
