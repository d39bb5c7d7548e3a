import { orderRead } from './order-read.ts'
import { start } from './start.ts'

/**
 * `npm run bench -- <name|all> [--short]`. Each benchmark ends with lines `figure <name> <value>
 * <unit>`. Ratios compare two things measured in turn in the same run; `--short` is the smoke run:
 * it shows that the benchmark works, its figures mean little.
 */
const benchmarks: Record<string, (options: { short: boolean }) => Promise<Figure[]>> = {
  'order-read': orderRead,
  start,
}

export interface Figure {
  name: string
  value: number
  unit: string
}

const [name = 'all', ...flags] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const short = process.argv.includes('--short')
if (flags.length > 0 || (name !== 'all' && !benchmarks[name])) {
  throw new Error(`expected one of: all, ${Object.keys(benchmarks).join(', ')}`)
}
for (const [each, run] of Object.entries(benchmarks)) {
  if (name !== 'all' && name !== each) continue
  process.stdout.write(`\n${each}${short ? ' (short: a smoke run)' : ''}\n`)
  for (const { name, value, unit } of await run({ short })) {
    process.stdout.write(`figure ${name} ${Number(value.toPrecision(4))} ${unit}\n`)
  }
}
