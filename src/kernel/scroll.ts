/** Where a scan stands, as callers carry it from one page to the next: opaque to them. */

export function scrollIdOf(fields: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/** What such an id was made of; nothing where it is none. */
export function scrollFields(scrollId: string): readonly unknown[] {
  try {
    const fields: unknown = JSON.parse(Buffer.from(scrollId, 'base64url').toString())
    return Array.isArray(fields) ? fields : []
  } catch {
    return []
  }
}
