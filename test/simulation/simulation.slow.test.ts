import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSimulatorWithBug, plantedBugs } from './bugs.ts'
import { guarantees } from './guarantees.ts'
import { simulateMany } from './many.ts'

/** After so many schedules a planted bug counts as not found. */
const mostSchedules = 600

test('deliveries keep their guarantees in thousands of schedules', async () => {
  assert.deepEqual(await simulateMany({ from: 1_000, count: 4_000 }), [])
})

test('the simulation finds at least 18 of 20 planted bugs', async (t) => {
  let foundCount = 0
  for (const bug of plantedBugs) {
    const { simulateSchedule: simulate } = await loadSimulatorWithBug(bug)
    let by: string | undefined
    for (let seed = 1; seed <= mostSchedules && !by; seed++) {
      const [breach] = (await simulate(seed)).breaches
      if (breach) by = `seed ${seed}: ${guarantees[breach.guarantee]}`
    }
    t.diagnostic(`${bug.name}: ${by ?? 'not found'}`)
    if (by) foundCount++
  }
  assert.equal(plantedBugs.length, 20)
  assert.ok(foundCount >= 18, `${foundCount} of ${plantedBugs.length}`)
})
