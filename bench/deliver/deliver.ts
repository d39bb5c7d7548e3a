import type { Figure } from '../run.ts'
import { numberSetting } from '../settings.ts'
import { type DeliveryBench, openDeliveryBench } from './place.ts'
import { isolation, lag, type Steady, top } from './steady.ts'
import { type Race, type Rates, ratesAsFigures, throughput } from './throughput.ts'

const cases = [1, 10, 1_000]

/**
 * Notifications from the recorded change to a receiver that answers after a millisecond: how many a
 * second beside a loop that only posts and beside general job queues, how soon, and what those who
 * hang cost the others.
 */
export async function deliver({ short }: { short: boolean }): Promise<Figure[]> {
  return within(async (place) => {
    const figures: Figure[] = []
    const found: Rates[] = []
    for (const applications of short ? [1, 20] : cases) {
      const rates = await throughput(place, raceOf(applications, short))
      found.push(rates)
      figures.push(...ratesAsFigures(applications, rates))
    }
    const rate = await steadyRate(place, short)
    figures.push(...(await lag(place, lagOf(rate, short))))
    figures.push(...(await isolation(place, isolationOf(rate, short))))
    return [...figures, ...leastOf(found)]
  })
}

/** One number of applications by itself: `deliver-10`. */
export function deliverTo(applications: number) {
  return ({ short }: { short: boolean }): Promise<Figure[]> =>
    within(async (place) =>
      ratesAsFigures(applications, await throughput(place, raceOf(applications, short))),
    )
}

/** `deliver-lag` by itself. */
export async function deliverLag({ short }: { short: boolean }): Promise<Figure[]> {
  return within(async (place) => lag(place, lagOf(await steadyRate(place, short), short)))
}

/** `deliver-isolation` by itself. */
export async function deliverIsolation({ short }: { short: boolean }): Promise<Figure[]> {
  return within(async (place) =>
    isolation(place, isolationOf(await steadyRate(place, short), short)),
  )
}

/** Half of what goes all the way at most. */
async function steadyRate(place: DeliveryBench, short: boolean): Promise<number> {
  if (process.env['FERIA_BENCH_RATE']) return numberSetting('FERIA_BENCH_RATE', 0)
  const seconds = short ? 2 : 20
  return Math.round((await top(place, { applications: 10, seconds })) / 2)
}

function lagOf(perSecond: number, short: boolean): Steady {
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 2 : 60)
  return { applications: 10, perSecond, seconds, rounds: short ? 1 : 3 }
}

/** As long as receivers need to hang more than once. */
function isolationOf(perSecond: number, short: boolean): Steady {
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 2 : 60)
  return { applications: short ? 20 : 100, perSecond, seconds, rounds: short ? 1 : 3 }
}

function raceOf(applications: number, short: boolean): Race {
  const count = numberSetting('FERIA_BENCH_DELIVERIES', short ? 500 : 100_000)
  const rounds = numberSetting('FERIA_BENCH_ROUNDS', short ? 1 : 3)
  return { applications, count, rounds, short }
}

function leastOf(found: readonly Rates[]): Figure[] {
  const names = { ratio: 'floor', vs_pgboss: 'pgboss', vs_bullmq: 'bullmq' } as const
  return Object.entries(names).flatMap(([name, side]) => {
    const values = found.flatMap(({ ratios }) => ratios[side] ?? [])
    if (values.length === 0) return []
    return [{ name: `deliver.${name}`, value: Math.min(...values), unit: 'the least of them' }]
  })
}

async function within<T>(work: (place: DeliveryBench) => Promise<T>): Promise<T> {
  const place = await openDeliveryBench()
  try {
    return await work(place)
  } finally {
    await place.close()
  }
}
