import { cells } from './cells.ts'
import { scales } from './run-cell.ts'
import { formatTotals, httpTableHeading, runHttpCells } from './run-cells.ts'

/**
 * `npm run chaos -- [cell …] [--short]`: a table with a line for each cell, and the sums. Ends with 1 when anything
 * that was acknowledged is lost, made twice, not notified or late, or when a cell broke off. With CHAOS_DATABASE_URL
 * the cells run that need no server of their own, on the database that it names, whose rows are deleted.
 */
const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const scale = scales[process.argv.includes('--short') ? 'short' : 'long']
const write = (line: string) => void process.stdout.write(`${line}\n`)
const beganAt = performance.now()
write(`cells: ${Object.keys(cells).join(', ')}\n\n${httpTableHeading}`)
const { rows, failed } = await runHttpCells(names, { scale, write })
const seconds = ((performance.now() - beganAt) / 1_000).toFixed(0)
write(`\n${rows.length} cells in ${seconds} s, ${failed} failed: ${formatTotals(rows)}`)
process.exitCode = failed > 0 ? 1 : 0
