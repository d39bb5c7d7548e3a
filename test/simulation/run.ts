import { parseArgs } from 'node:util'
import { guarantees } from './guarantees.ts'
import { simulateSchedule } from './simulate.ts'

/** `npm run simulate -- --seed 7` tells one schedule; `--schedules 5000` runs so many from that seed on. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    schedules: { type: 'string', default: '1' },
  },
})
const first = Number(values.seed)
const count = Number(values.schedules)
const began = performance.now()
let events = 0
let virtualMs = 0
let broken = 0
for (let seed = first; seed < first + count; seed++) {
  const done = await simulateSchedule(seed, { tells: count === 1 })
  events += done.events
  virtualMs += done.virtualMs
  for (const line of done.trace) console.log(line)
  if (done.breaches.length > 0) broken++
  for (const { guarantee, what } of done.breaches.slice(0, 5)) {
    console.log(`seed ${seed}: ${guarantees[guarantee]}\n  ${what}`)
  }
}
const minutes = (performance.now() - began) / 60_000
const rate = Math.round(count / minutes)
console.log(
  `${count} schedules, ${broken} broken: ${rate} a minute, ` +
    `${Math.round(events / count)} events and ${(virtualMs / count / 1000).toFixed(1)} virtual seconds each`,
)
process.exitCode = broken > 0 ? 1 : 0
