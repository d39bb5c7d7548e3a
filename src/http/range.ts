/** A byte range, both ends inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Returns which part of a file the headers request, by RFC 9110, sections 13 and 14. Several ranges in one request
 * return the whole file, which the standard allows.
 */
export function requestedRange(
  headers: { range?: string; 'if-range'?: string; 'if-none-match'?: string },
  { size, etag }: { size: number; etag: string },
): ByteRange | 'whole' | 'unsatisfiable' | 'unchanged' {
  if (matchesEtag(headers['if-none-match'], etag)) return 'unchanged'
  const { range, 'if-range': condition } = headers
  if (range === undefined || (condition !== undefined && condition !== etag)) return 'whole'
  return parseRange(range, size)
}

/** Parses `bytes=0-9`, `bytes=10-` or `bytes=-5`. Any other value is ignored: the whole file. */
function parseRange(range: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}

function matchesEtag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  const etags = condition.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return etags.includes('*') || etags.includes(etag)
}
