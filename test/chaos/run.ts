import { cells } from './cells.ts'
import { heading, lineOf, playCells, ratioOf } from './play.ts'

/**
 * `npm run chaos:load -- [cell …] [--short]`: a table with a line for each cell, and figures. Ends with 1
 * when anything that was committed never arrived, or a dispatcher has ended by itself.
 */
const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const short = process.argv.includes('--short')
process.stdout.write(`cells: ${Object.keys(cells).join(', ')}\n\n${heading}\n`)
const rows = await playCells(names, {
  short,
  told: (row) => void process.stdout.write(`${lineOf(row)}\n`),
})
const lost = rows.reduce((sum, row) => sum + row.lost, 0)
process.stdout.write(`\nfigure chaos.lost ${lost} notifications\n`)
const ratio = Math.min(...rows.map(ratioOf))
process.stdout.write(`figure chaos.ratio ${ratio.toPrecision(4)} of before, the least of them\n`)
const held = rows.find(({ name }) => name === cells['held']?.name)
if (held) process.stdout.write(`figure xmin.ratio ${ratioOf(held).toPrecision(4)} of before\n`)
process.exitCode = lost > 0 || rows.some(({ fallen }) => fallen > 0) ? 1 : 0
