import type { BenchRequest } from '../compare-in-turn.ts'
import { startDatabase } from '../database.ts'
import { mainFile, makeFolder, median, startServer } from '../measure.ts'
import { prepare } from '../order-read.ts'
import type { Figure } from '../run.ts'
import { type LoadResult, runLoad } from './load.ts'

const connectionCounts = [64, 500, 1_500]

/**
 * What callers get when there are too many of them: of ten requests seven read an order, two search orders and one
 * writes a note, over 64, 500 and 1,500 connections in turn; every third connection is slow. Goodput at 500 and
 * 1,500 is compared with that at 64 in the same round.
 */
export async function overload({ short }: { short: boolean }): Promise<Figure[]> {
  const seconds = short ? 2 : 15
  const rounds = short ? 1 : 5
  const folder = makeFolder()
  const database = await startDatabase({ dataDirectory: folder.path })
  try {
    const orders = await prepare(database.url, short ? 2_000 : 50_000)
    const program = await startServer([mainFile, 'serve'], {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_RATE_PER_MINUTE: '100000000',
      FERIA_LOG_LEVEL: 'error',
      // As they are set by default: what is refused depends on them.
      FERIA_READ_DEADLINE_MS: '1000',
      FERIA_QUEUE_WAIT_MS: '1000',
    })
    try {
      const next = () =>
        nextRequest(orders[Math.floor(Math.random() * orders.length)] as PreparedOrder)
      if (!short) await runLoad(program.address, { connections: 64, seconds: 5, next })
      const measured: Map<number, LoadResult>[] = []
      for (let round = 1; round <= rounds; round++) {
        const answers = new Map<number, LoadResult>()
        for (const connections of connectionCounts) {
          const result = await runLoad(program.address, { connections, seconds, next })
          answers.set(connections, result)
          process.stdout.write(`overload, round ${round}: ${lineOf(connections, result)}\n`)
        }
        measured.push(answers)
      }
      return figuresOf(measured)
    } finally {
      await program.stop()
    }
  } finally {
    await database.stop()
    folder.remove()
  }
}

type PreparedOrder = Awaited<ReturnType<typeof prepare>>[number]

function nextRequest({ id, sellerId, token }: PreparedOrder): BenchRequest {
  const chance = Math.random()
  if (chance < 0.7) return { path: `/orders/${id}`, token }
  if (chance < 0.9) return { path: `/orders/search?seller=${sellerId}&limit=10`, token }
  return { path: `/orders/${id}/notes`, token, body: JSON.stringify({ note: 'Frágil' }) }
}

function lineOf(connections: number, of: LoadResult): string {
  const { goodput, refusedShare, p99Ms, maxMs, unexpectedAnswers, slowAnswers, generatorCpu } = of
  return [
    `${connections} connections: ${goodput.toFixed(0)}/s`,
    `${(100 * refusedShare).toFixed(1)} % refused`,
    `p99 ${p99Ms.toFixed(0)} ms, at most ${maxMs.toFixed(0)}`,
    `${slowAnswers} to slow clients`,
    `generator ${generatorCpu.toFixed(2)} processors`,
    ...(unexpectedAnswers.length > 0 ? [`wrong: ${unexpectedAnswers.join(', ')}`] : []),
  ].join(', ')
}

function figuresOf(rounds: readonly Map<number, LoadResult>[]): Figure[] {
  const middle = (value: (answers: Map<number, LoadResult>) => number) => median(rounds.map(value))
  const of = (connections: number, value: (each: LoadResult) => number) =>
    middle((answers) => value(answers.get(connections) as LoadResult))
  const ratio = (connections: number) =>
    middle((answers) => {
      const [few, many] = [answers.get(64) as LoadResult, answers.get(connections) as LoadResult]
      return many.goodput / few.goodput
    })
  return [
    { name: 'overload.goodput_64', value: of(64, (each) => each.goodput), unit: 'answers/s' },
    ...[500, 1_500].flatMap((connections) => [
      { name: `overload.goodput_ratio_${connections}`, value: ratio(connections), unit: 'of 64' },
      {
        name: `overload.p99_${connections}`,
        unit: 'ms',
        value: of(connections, (each) => each.p99Ms),
      },
      {
        name: `overload.refused_${connections}`,
        unit: '%',
        value: of(connections, (each) => 100 * each.refusedShare),
      },
      {
        name: `overload.generator_cpu_${connections}`,
        unit: 'processors',
        value: of(connections, (each) => each.generatorCpu),
      },
    ]),
  ]
}
