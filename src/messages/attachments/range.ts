/** A part of a file: the first and the last of its bytes. */
export interface Part {
  start: number
  end: number
}

/**
 * What a request with these headers asks for of a file (RFC 9110, 13 and 14): all of it, one part of
 * it, something it does not have, or nothing since the caller has it already. Several parts at once
 * are answered by the whole, as the standard allows.
 */
export function requestedRange(
  headers: { range?: string; 'if-range'?: string; 'if-none-match'?: string },
  { size, etag }: { size: number; etag: string },
): Part | 'whole' | 'unsatisfiable' | 'unchanged' {
  if (isKnown(headers['if-none-match'], etag)) return 'unchanged'
  const { range, 'if-range': condition } = headers
  if (range === undefined || (condition !== undefined && condition !== etag)) return 'whole'
  return partOf(range, size)
}

/** `bytes=0-9`, `bytes=10-` or `bytes=-5`. What is none of these counts as not said. */
function partOf(range: string, size: number): Part | 'whole' | 'unsatisfiable' {
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

function isKnown(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  const known = condition.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag)
}
