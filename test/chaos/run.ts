import { cells } from './cells.ts'
import { formatResult, rateRatio, runCells, tableHeading } from './run-cells.ts'

/**
 * `npm run chaos:load -- [cell …] [--short]`: a table with a line for each cell, and figures. Ends with 1
 * when anything that was committed never arrived, or a dispatcher has ended by itself.
 */
const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const short = process.argv.includes('--short')
process.stdout.write(`cells: ${Object.keys(cells).join(', ')}\n\n${tableHeading}\n`)
const rows = await runCells(names, {
  short,
  onResult: (row) => void process.stdout.write(`${formatResult(row)}\n`),
})
const lostTotal = rows.reduce((sum, row) => sum + row.lost, 0)
process.stdout.write(`\nfigure chaos.lost ${lostTotal} notifications\n`)
const ratio = Math.min(...rows.map(rateRatio))
process.stdout.write(`figure chaos.ratio ${ratio.toPrecision(4)} of before, the least of them\n`)
const heldRow = rows.find(({ name }) => name === cells['held']?.name)
if (heldRow)
  process.stdout.write(`figure xmin.ratio ${rateRatio(heldRow).toPrecision(4)} of before\n`)
process.exitCode =
  lostTotal > 0 || rows.some(({ crashedDispatchers }) => crashedDispatchers > 0) ? 1 : 0
