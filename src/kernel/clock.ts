/** Tells the time. Everything that needs the time is given one; nothing reads the machine's clock. */
export type Clock = () => Date

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** ISO 8601 with milliseconds and the UTC designator (contract, preamble); null stays null. */
export function timestamp(moment: Date): string
export function timestamp(moment: Date | null): string | null
export function timestamp(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString()
}

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/

const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const earliest = new Date('1900-01-01T00:00:00.000Z')
const latest = new Date('9999-12-31T23:59:59.999Z')

/**
 * Reads an ISO 8601 timestamp with a UTC designator or a numeric offset (with or without its colon).
 * Undefined for anything else, for days that no calendar has (`2024-02-30` is not 1 March), and for
 * moments before 1900 or after 9999 in UTC, which `timestamp` could not write with four digits.
 */
export function parseTimestamp(text: string): Date | undefined {
  // As all of ours are written: the engine reads it several times as fast, but takes 30 February for
  // 1 March and 24:00 for the next day.
  if (usual.test(text)) {
    const read = new Date(text)
    return read.getUTCDate() === Number(text.slice(8, 10)) && read >= earliest ? read : undefined
  }
  const found = pattern.exec(text)
  if (!found) return undefined
  const [, year, month, day, hour, minute, second] = found.map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  // `Date.UTC` takes a year below 100 for one of the twentieth century.
  if (year < 100 || hour > 23 || minute > 59 || second > 59) return undefined
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  const fraction = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3))
  const moment = new Date(local.getTime() + fraction - offsetMs(found[8] ?? 'Z'))
  return moment < earliest || moment > latest ? undefined : moment
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.replace(/\D/g, '')
  return sign * (Number(digits.slice(0, 2)) * hourMs + Number(digits.slice(2)) * minuteMs)
}
