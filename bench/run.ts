import { catalog } from './catalog/catalog.ts'
import { deliver, deliverIsolation, deliverLag, deliverTo } from './deliver/deliver.ts'
import { feed } from './feed.ts'
import { importing } from './import.ts'
import { listingSearch } from './listing-search/listing-search.ts'
import { messages } from './messages/messages.ts'
import { moderation } from './moderation.ts'
import { orderIndexes } from './order-indexes.ts'
import { orderIntake } from './order-intake.ts'
import { orderRead } from './order-read.ts'
import { orderSearch } from './order-search.ts'
import { predict } from './predict/predict.ts'
import { start } from './start.ts'
import { uploads } from './uploads.ts'

/**
 * `npm run bench -- <name|all> [--short]`. Each benchmark ends with lines `figure <name> <value>
 * <unit>`. Ratios compare two things measured in turn in the same run; `--short` is the smoke run:
 * it shows that the benchmark works, its figures mean little.
 */
const benchmarks: Record<string, (options: { short: boolean }) => Promise<Figure[]>> = {
  'order-read': orderRead,
  'order-search': orderSearch,
  'order-intake': orderIntake,
  'listing-search': listingSearch,
  import: importing,
  moderation,
  messages,
  uploads,
  deliver,
  feed,
  catalog,
  predict,
  start,
}

/** Asked for by name only. */
const others: typeof benchmarks = {
  'order-indexes': orderIndexes,
  'deliver-1': deliverTo(1),
  'deliver-10': deliverTo(10),
  'deliver-1000': deliverTo(1_000),
  'deliver-lag': deliverLag,
  'deliver-isolation': deliverIsolation,
}

export interface Figure {
  name: string
  value: number
  unit: string
}

const [name = 'all', ...flags] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const short = process.argv.includes('--short')
const known = { ...benchmarks, ...others }
if (flags.length > 0 || (name !== 'all' && !known[name])) {
  throw new Error(`expected one of: all, ${Object.keys(known).join(', ')}`)
}
for (const [each, run] of Object.entries(name === 'all' ? benchmarks : known)) {
  if (name !== 'all' && name !== each) continue
  process.stdout.write(`\n${each}${short ? ' (short: a smoke run)' : ''}\n`)
  for (const { name, value, unit } of await run({ short })) {
    process.stdout.write(`figure ${name} ${Number(value.toPrecision(4))} ${unit}\n`)
  }
}
