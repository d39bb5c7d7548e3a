import { cells } from './cells.ts'
import { play, type Row, type Scale } from './stage.ts'

/** Plays these cells, or all, one after the other. */
export async function playCells(
  names: readonly string[],
  { scale, onRow }: { scale: Scale; onRow: (row: Row) => void },
): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of names.length > 0 ? names : Object.keys(cells)) {
    const cell = cells[name]
    if (!cell) throw new Error(`expected of ${Object.keys(cells).join(', ')}: ${name}`)
    const reason = cell.skipped?.()
    if (reason) {
      process.stdout.write(`${name}: skipped, ${reason}\n`)
      continue
    }
    const row = await play(cell, scale)
    rows.push(row)
    onRow(row)
  }
  return rows
}

/** Whether nothing was lost, made twice or late, and nothing else was wrong. */
export function isClean(row: Row): boolean {
  const { lost, madeTwice, unnotified, lateAfterwards, wrong, fallen } = row
  return lost + madeTwice + unnotified + lateAfterwards + wrong.length + fallen === 0
}

const columns: [title: string, width: number, value: (row: Row) => string | number][] = [
  ['cell', 77, ({ name }) => name],
  ['acknowledged', 13, ({ acknowledged }) => acknowledged],
  ['lost', 5, ({ lost }) => lost],
  ['twice', 6, ({ madeTwice }) => madeTwice],
  ['notified', 9, ({ notified }) => notified],
  ['late', 5, ({ late }) => late],
  ['afterwards', 11, ({ lateAfterwards }) => lateAfterwards],
  ['again', 6, ({ duplicates }) => duplicates],
  ['p99 ms', 7, ({ p99Ms }) => p99Ms.toFixed(0)],
  ['recovery s', 11, ({ recoveryMs }) => (recoveryMs / 1_000).toFixed(1)],
]

export const heading = columns.map(([title, width], n) => padded(title, width, n)).join(' ')

export function lineOf(row: Row): string {
  const values = columns.map(([, width, value], n) => padded(String(value(row)), width, n))
  const { wrong, fallen, samples } = row
  const notes = [
    ...samples,
    ...[...new Set(wrong)].slice(0, 5).map((each) => `wrong (${wrong.length}): ${each}`),
    ...(fallen > 0 ? [`${fallen} processes ended by themselves`] : []),
  ]
  return [values.join(' '), ...notes.map((note) => `  ${note}`)].join('\n')
}

function padded(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
