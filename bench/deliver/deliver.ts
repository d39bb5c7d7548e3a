import type { Figure } from '../run.ts'
import { numberSetting } from '../settings.ts'
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts'
import { maxSteadyRate, measureIsolation, measureLag, type SteadyLoad } from './steady.ts'
import {
  ratesAsFigures,
  type ThroughputOptions,
  type ThroughputRates,
  throughput,
} from './throughput.ts'

const applicationCounts = [1, 10, 1_000]

/**
 * Notifications from the recorded change to a receiver that answers after a millisecond: how many a
 * second beside a loop that only posts and beside general job queues, how soon, and what those who
 * hang cost the others.
 */
export async function deliver({ short }: { short: boolean }): Promise<Figure[]> {
  return withDeliveryBench(async (bench) => {
    const figures: Figure[] = []
    const allRates: ThroughputRates[] = []
    for (const applications of short ? [1, 20] : applicationCounts) {
      const rates = await throughput(bench, throughputOptions(applications, short))
      allRates.push(rates)
      figures.push(...ratesAsFigures(applications, rates))
    }
    const rate = await steadyRate(bench, short)
    figures.push(...(await measureLag(bench, lagLoad(rate, short))))
    figures.push(...(await measureIsolation(bench, isolationLoad(rate, short))))
    return [...figures, ...minimumFigures(allRates)]
  })
}

/** One number of applications by itself: `deliver-10`. */
export function deliverTo(applications: number) {
  return ({ short }: { short: boolean }): Promise<Figure[]> =>
    withDeliveryBench(async (bench) =>
      ratesAsFigures(applications, await throughput(bench, throughputOptions(applications, short))),
    )
}

/** `deliver-lag` by itself. */
export async function deliverLag({ short }: { short: boolean }): Promise<Figure[]> {
  return withDeliveryBench(async (bench) =>
    measureLag(bench, lagLoad(await steadyRate(bench, short), short)),
  )
}

/** `deliver-isolation` by itself. */
export async function deliverIsolation({ short }: { short: boolean }): Promise<Figure[]> {
  return withDeliveryBench(async (bench) =>
    measureIsolation(bench, isolationLoad(await steadyRate(bench, short), short)),
  )
}

/** Half of what goes all the way at most. */
async function steadyRate(bench: DeliveryBench, short: boolean): Promise<number> {
  if (process.env['FERIA_BENCH_RATE']) return numberSetting('FERIA_BENCH_RATE', 0)
  const seconds = short ? 2 : 20
  return Math.round((await maxSteadyRate(bench, { applications: 10, seconds })) / 2)
}

function lagLoad(perSecond: number, short: boolean): SteadyLoad {
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 2 : 60)
  return { applications: 10, perSecond, seconds, rounds: short ? 1 : 3 }
}

/** As long as receivers need to hang more than once. */
function isolationLoad(perSecond: number, short: boolean): SteadyLoad {
  const seconds = numberSetting('FERIA_BENCH_SECONDS', short ? 2 : 60)
  return { applications: short ? 20 : 100, perSecond, seconds, rounds: short ? 1 : 3 }
}

function throughputOptions(applications: number, short: boolean): ThroughputOptions {
  const count = numberSetting('FERIA_BENCH_DELIVERIES', short ? 500 : 100_000)
  const rounds = numberSetting('FERIA_BENCH_ROUNDS', short ? 1 : 3)
  return { applications, count, rounds, short }
}

function minimumFigures(allRates: readonly ThroughputRates[]): Figure[] {
  const names = { ratio: 'floor', vs_pgboss: 'pgboss', vs_bullmq: 'bullmq' } as const
  return Object.entries(names).flatMap(([name, side]) => {
    const values = allRates.flatMap(({ ratios }) => ratios[side] ?? [])
    if (values.length === 0) return []
    return [{ name: `deliver.${name}`, value: Math.min(...values), unit: 'the least of them' }]
  })
}

async function withDeliveryBench<T>(work: (bench: DeliveryBench) => Promise<T>): Promise<T> {
  const bench = await openDeliveryBench()
  try {
    return await work(bench)
  } finally {
    await bench.close()
  }
}
