import { dayMs } from '../../kernel/clock.ts'

/** The promised day as seen from today. */
export type PromisedDay = 'today' | 'tomorrow' | 'next_business_day' | 'later'

/** Returns the day of a moment in `timeZone`, in days since 1 January 1970. */
export function localDay(moment: Date, timeZone: string): number {
  const format = { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const parts = new Intl.DateTimeFormat('en-US', format).formatToParts(moment)
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day')) / dayMs
}

/**
 * Returns how far away a promised day is, or undefined when it is over. Both days are local days. Business days are
 * Monday to Friday in all countries. Holidays are not known, so texts for days after tomorrow name the date.
 */
export function promisedDay(day: number, today: number): PromisedDay | undefined {
  if (day < today) return undefined
  if (day === today) return 'today'
  if (day === today + 1) return 'tomorrow'
  return day === nextBusinessDay(today) ? 'next_business_day' : 'later'
}

function nextBusinessDay(today: number): number {
  const next = today + 1
  return isWeekend(next) ? nextBusinessDay(next) : next
}

/** Day 0 is a Thursday. */
function isWeekend(day: number): boolean {
  return (day + 3) % 7 > 4
}

/** `16 de marzo` */
export function dateText(day: number, language: 'es' | 'pt'): string {
  const format = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, format).format(day * dayMs)
}
