import { cells } from './cells.ts'
import {
  type HttpChaosCell,
  type HttpChaosResult,
  type HttpChaosScale,
  runHttpCell,
} from './run-cell.ts'

/**
 * Plays these cells, or all, one after the other, and writes a line about each. A cell that breaks off has no row,
 * and the next one is played.
 */
export async function runHttpCells(
  names: readonly string[],
  { scale, write }: { scale: HttpChaosScale; write: (line: string) => void },
): Promise<{ rows: HttpChaosResult[]; failed: number }> {
  const chosen = names.length > 0 ? names : Object.keys(cells)
  const unknown = chosen.find((name) => !cells[name])
  if (unknown) throw new Error(`expected of ${Object.keys(cells).join(', ')}: ${unknown}`)
  const rows: HttpChaosResult[] = []
  let failed = 0
  for (const name of chosen) {
    const cell = cells[name] as HttpChaosCell
    const reason = cell.skipReason?.()
    if (reason) {
      write(`${cell.name}: skipped, ${reason}`)
      continue
    }
    try {
      const row = await runHttpCell(cell, scale)
      rows.push(row)
      write(formatHttpResult(row))
      if (!isClean(row)) failed++
    } catch (error) {
      write(`${cell.name}: broken off, ${error}`)
      failed++
    }
  }
  return { rows, failed }
}

/** Whether nothing was lost, made twice or late, and nothing else was wrong. */
export function isClean(row: HttpChaosResult): boolean {
  const { lost, duplicateWrites, unnotified, lateAfterwards, unexpectedAnswers, crashedProcesses } =
    row
  return (
    lost +
      duplicateWrites +
      unnotified +
      lateAfterwards +
      unexpectedAnswers.length +
      crashedProcesses ===
    0
  )
}

const columns: [title: string, width: number, value: (row: HttpChaosResult) => string | number][] =
  [
    ['cell', 77, ({ name }) => name],
    ['acknowledged', 13, ({ acknowledged }) => acknowledged],
    ['lost', 5, ({ lost }) => lost],
    ['twice', 6, ({ duplicateWrites }) => duplicateWrites],
    ['notified', 9, ({ notified }) => notified],
    ['late', 5, ({ late }) => late],
    ['afterwards', 11, ({ lateAfterwards }) => lateAfterwards],
    ['again', 6, ({ duplicates }) => duplicates],
    ['p99 ms', 7, ({ p99Ms }) => p99Ms.toFixed(0)],
    ['recovery s', 11, ({ recoveryMs }) => (recoveryMs / 1_000).toFixed(1)],
  ]

export const httpTableHeading = columns
  .map(([title, width], n) => padded(title, width, n))
  .join(' ')

export function formatHttpResult(row: HttpChaosResult): string {
  const values = columns.map(([, width, value], n) => padded(String(value(row)), width, n))
  const { unexpectedAnswers, crashedProcesses, samples } = row
  const notes = [
    ...samples,
    ...[...new Set(unexpectedAnswers)]
      .slice(0, 5)
      .map((each) => `wrong (${unexpectedAnswers.length}): ${each}`),
    ...(crashedProcesses > 0 ? [`${crashedProcesses} processes ended by themselves`] : []),
  ]
  return [values.join(' '), ...notes.map((note) => `  ${note}`)].join('\n')
}

/** The sums over all rows in one line. */
export function formatTotals(rows: readonly HttpChaosResult[]): string {
  const sum = (value: (row: HttpChaosResult) => number) =>
    rows.reduce((total, row) => total + value(row), 0)
  return [
    `${sum(({ acknowledged }) => acknowledged)} acknowledged`,
    `${sum(({ lost }) => lost)} lost`,
    `${sum(({ duplicateWrites }) => duplicateWrites)} made twice`,
    `${sum(({ notified }) => notified)} notified`,
    `${sum(({ lateAfterwards }) => lateAfterwards)} late after the fault`,
    `${sum(({ duplicates }) => duplicates)} duplicates`,
  ].join(', ')
}

function padded(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
