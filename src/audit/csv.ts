import { withoutFormulas } from '../kernel/spreadsheet.ts'
import { targetText } from './entry.ts'
import type { AuditEntryAnswer } from './view.ts'

const columns: Readonly<Record<string, (entry: AuditEntryAnswer) => string>> = {
  id: ({ id }) => id,
  date: ({ date }) => date,
  actor: ({ actor }) => actor,
  actor_name: ({ actor_name }) => actor_name ?? '',
  operation: ({ operation }) => operation,
  target_kind: ({ target }) => target?.kind ?? '',
  target_id: ({ target }) => target?.id ?? '',
  reason: ({ reason }) => reason ?? '',
  before: ({ before }) => jsonOf(before),
  after: ({ after }) => jsonOf(after),
  personal: ({ personal }) => (personal.length === 0 ? '' : JSON.stringify(personal)),
  result: ({ result }) => jsonOf(result),
  related: ({ related }) => related.map(targetText).join(' '),
}

/** The first line of a CSV file of entries. */
export const csvHeader = csvLine(Object.keys(columns))

/** Returns the line of an entry. */
export function csvOf(entry: AuditEntryAnswer): string {
  return csvLine(Object.values(columns).map((read) => read(entry)))
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Returns a quoted cell (RFC 4180) in which a spreadsheet finds no formula. */
export function csvCell(text: string): string {
  return `"${withoutFormulas(text).replaceAll('"', '""')}"`
}

function jsonOf(values: object | null): string {
  return values === null ? '' : JSON.stringify(values)
}
