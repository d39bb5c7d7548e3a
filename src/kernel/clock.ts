/** Returns the current time. Code gets the clock from its caller instead of reading the machine's, so that a sandbox
 * and tests can move time. */
export type Clock = () => Date

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Formats a moment as ISO 8601 with milliseconds and `Z`. Null stays null. */
export function timestamp(moment: Date): string
export function timestamp(moment: Date | null): string | null
export function timestamp(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString()
}

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/

const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Earlier and later moments are mistakes in the data, such as a wrong century. */
const earliest = new Date('1900-01-01T00:00:00.000Z')
const latest = new Date('9999-12-31T23:59:59.999Z')

/**
 * Parses an ISO 8601 timestamp with `Z` or a numeric offset, with or without its colon. Returns undefined for anything
 * else, for a day that does not exist (`2024-02-30`), and for years before 1900 or after 9999 in UTC. Digits beyond
 * milliseconds are cut.
 */
export function parseTimestamp(text: string): Date | undefined {
  // Fast path for the format that `timestamp` writes. `Date` reads 30 February as 1 March and 24:00 as the next day,
  // so the day must be compared. Four digits and `Z` cannot exceed `latest`.
  if (usual.test(text)) {
    const date = new Date(text)
    return date.getUTCDate() === Number(text.slice(8, 10)) && date >= earliest ? date : undefined
  }
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second] = match.map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  // `Date.UTC` reads a year below 100 as one of the twentieth century.
  if (year < 100 || hour > 23 || minute > 59 || second > 59) return undefined
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const moment = new Date(local.getTime() + fraction - offsetMs(match[8] ?? 'Z'))
  return moment < earliest || moment > latest ? undefined : moment
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.replace(/\D/g, '')
  return sign * (Number(digits.slice(0, 2)) * hourMs + Number(digits.slice(2)) * minuteMs)
}
