import { cells } from './cells.ts'
import { type LoadChaosResult, LoadChaosRunner, scales } from './load-chaos-runner.ts'

/**
 * Plays cells: dispatchers in processes of their own against a PostgreSQL of their own, changes
 * recorded at a steady rate, every notification checked at the receiver, and one thing that goes
 * wrong. In the short form two databases share the work, so that all is over within a minute.
 */
export async function runCells(
  names: readonly string[],
  { short, onResult }: { short: boolean; onResult: (row: LoadChaosResult) => void },
): Promise<LoadChaosResult[]> {
  const scale = scales[short ? 'short' : 'long']
  const unknown = names.find((name) => !cells[name])
  if (unknown) throw new Error(`expected of ${Object.keys(cells).join(', ')}: ${unknown}`)
  const chosen = names.length > 0 ? names : Object.keys(cells)
  const isApart = (name: string) => short && ['idle', 'held', 'clock'].includes(name)
  const parts = [chosen.filter((name) => !isApart(name)), chosen.filter(isApart)]
  const played = parts
    .filter((part) => part.length > 0)
    .map((part) =>
      LoadChaosRunner.runCells(
        part.flatMap((name) => cells[name] ?? []),
        { scale, onResult },
      ),
    )
  const done = await Promise.allSettled(played)
  for (const result of done) if (result.status === 'rejected') throw result.reason
  return (await Promise.all(played)).flat()
}

const columns: [title: string, width: number, value: (row: LoadChaosResult) => string | number][] =
  [
    ['cell', 56, ({ name }) => name],
    ['sent', 8, ({ sent }) => sent],
    ['received', 9, ({ received }) => received],
    ['lost', 6, ({ lost }) => lost],
    ['twice', 6, ({ duplicates }) => duplicates],
    ['before/s', 9, ({ rateBefore }) => rateBefore.toFixed(0)],
    ['during/s', 9, ({ rateDuring }) => rateDuring.toFixed(0)],
    ['ratio', 6, (row) => rateRatio(row).toFixed(2)],
    ['p99 ms', 8, ({ p99Before }) => p99Before.toFixed(0)],
    ['during', 8, ({ p99During }) => p99During.toFixed(0)],
  ]

export const rateRatio = ({ rateBefore, rateDuring }: LoadChaosResult) => rateDuring / rateBefore

export const tableHeading = columns.map(([title, width], n) => padded(title, width, n)).join(' ')

export function formatResult(row: LoadChaosResult): string {
  const cellsOfRow = columns.map(([, width, value], n) => padded(String(value(row)), width, n))
  return [cellsOfRow.join(' '), ...row.notes.map((note) => `  ${note}`)].join('\n')
}

function padded(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
