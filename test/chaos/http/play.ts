import { cells } from './cells.ts'
import { type Cell, play, type Row, type Scale } from './stage.ts'

/**
 * Plays these cells, or all, one after the other, and writes a line about each. A cell that breaks off has no row,
 * and the next one is played.
 */
export async function playCells(
  names: readonly string[],
  { scale, write }: { scale: Scale; write: (line: string) => void },
): Promise<{ rows: Row[]; failed: number }> {
  const chosen = names.length > 0 ? names : Object.keys(cells)
  const unknown = chosen.find((name) => !cells[name])
  if (unknown) throw new Error(`expected of ${Object.keys(cells).join(', ')}: ${unknown}`)
  const rows: Row[] = []
  let failed = 0
  for (const name of chosen) {
    const cell = cells[name] as Cell
    const reason = cell.skipped?.()
    if (reason) {
      write(`${cell.name}: skipped, ${reason}`)
      continue
    }
    try {
      const row = await play(cell, scale)
      rows.push(row)
      write(lineOf(row))
      if (!isClean(row)) failed++
    } catch (error) {
      write(`${cell.name}: broken off, ${error}`)
      failed++
    }
  }
  return { rows, failed }
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

/** The sums over all rows in one line. */
export function sumsOf(rows: readonly Row[]): string {
  const sum = (value: (row: Row) => number) => rows.reduce((total, row) => total + value(row), 0)
  return [
    `${sum(({ acknowledged }) => acknowledged)} acknowledged`,
    `${sum(({ lost }) => lost)} lost`,
    `${sum(({ madeTwice }) => madeTwice)} made twice`,
    `${sum(({ notified }) => notified)} notified`,
    `${sum(({ lateAfterwards }) => lateAfterwards)} late after the fault`,
    `${sum(({ duplicates }) => duplicates)} duplicates`,
  ].join(', ')
}

function padded(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
