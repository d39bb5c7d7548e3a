import { cells } from './cells.ts'
import { heading, isClean, lineOf, playCells } from './play.ts'
import { scales } from './stage.ts'

/**
 * `npm run chaos -- [cell …] [--short]`: a table with a line for each cell. Ends with 1 when anything that was
 * acknowledged is lost, made twice, not notified or late.
 */
const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const scale = scales[process.argv.includes('--short') ? 'short' : 'long']
process.stdout.write(`cells: ${Object.keys(cells).join(', ')}\n\n${heading}\n`)
const rows = await playCells(names, {
  scale,
  onRow: (row) => void process.stdout.write(`${lineOf(row)}\n`),
})
process.exitCode = rows.every(isClean) ? 0 : 1
