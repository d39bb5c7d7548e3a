import { totalmem } from 'node:os'
import { startDatabase, withClient } from '../database.ts'
import { makeFolder } from '../measure.ts'
import { installRivals } from '../rivals/install.ts'
import { startRedis } from './redis.ts'
import { isRival } from './rival.ts'
import { startWorker } from './worker-process.ts'

/** Where everything of one run lies: a durable PostgreSQL, a Redis where there is one, a folder. */
export interface DeliveryBench {
  databaseUrl: string
  databasePid: number
  folder: string
  /** Who takes part. */
  sides: readonly string[]
  /** The settings that a side's process needs. */
  envOf(side: string): Record<string, string>
  /** Puts away what a side has left: dead rows, and what is not on disk yet. Nobody pays for the one before. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

const defaultSides = ['program', 'floor', 'pgboss', 'bullmq']
/** The queues by themselves, with nothing built around them: they take part when asked for. */
const everySide = [...defaultSides, 'pgboss-alone', 'bullmq-alone']
const needsRedis = (side: string) => side.startsWith('bullmq')

/** `only` are the sides of a benchmark that compares with nobody else. */
export async function openDeliveryBench(only?: readonly string[]): Promise<DeliveryBench> {
  const requestedSides = only ?? process.env['FERIA_BENCH_SIDES']?.split(',')
  const candidates = requestedSides ?? defaultSides
  const unknown = candidates.filter((side) => !everySide.includes(side))
  if (unknown.length > 0)
    throw new Error(`FERIA_BENCH_SIDES: expected some of ${everySide.join(',')}`)
  if (candidates.some(isRival)) installRivals()
  const folder = makeFolder()
  const server = await startDatabase({
    dataDirectory: folder.path,
    // As is advised for a server of its own.
    sharedBuffersMb: Math.floor(totalmem() / 4 / 2 ** 20),
  })
  const redis = candidates.some(needsRedis) ? await startRedis(folder.path) : undefined
  const close = async () => {
    await redis?.stop()
    await server.stop()
    folder.remove()
  }
  const sides = candidates.filter((side) => {
    const lack = missingRequirementOf(side, redis !== undefined)
    if (lack === undefined) return true
    if (requestedSides) throw new Error(`FERIA_BENCH_SIDES: ${side} cannot take part: ${lack}`)
    process.stdout.write(`${lack}: ${side} is left out\n`)
    return false
  })
  try {
    // Migrates, and makes whatever a first start makes.
    const work = await startWorker({ databaseUrl: server.url, folder: folder.path })
    await work.stop()
  } catch (error) {
    await close()
    throw error
  }
  return {
    databaseUrl: server.url,
    databasePid: server.pid,
    folder: folder.path,
    sides,
    envOf: () => ({ DATABASE_URL: server.url, REDIS_PORT: String(redis?.port ?? 0) }),
    async vacuum() {
      await withClient(server.url, async (client) => {
        await client.query('vacuum')
        await client.query('checkpoint')
      })
    },
    close,
  }
}

/** Returns what a side needs and does not have on this machine. */
function missingRequirementOf(side: string, hasRedis: boolean): string | undefined {
  return needsRedis(side) && !hasRedis ? 'there is no redis-server here' : undefined
}
