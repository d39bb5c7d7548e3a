import { totalmem } from 'node:os'
import { ApiClient } from '../src/cli/client/client.ts'
import { dayMs } from '../src/kernel/clock.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { dropPartitionsBefore, ensureDayPartitions } from '../src/platform/database/partitions.ts'
import { startDatabase, withClient } from './database.ts'
import { BenchSandbox, benchProgramEnv } from './deliver/bench-sandbox.ts'
import { type BenchFeed, copyFeed, feedDays } from './feed-rows.ts'
import { type BenchServer, mainFile, makeFolder, median, startServer } from './measure.ts'
import type { Figure } from './run.ts'
import { numberSetting } from './settings.ts'

const smallSize = 20_000
const usualSize = 20_000_000

/**
 * A feed of many entries beside one of few, each in a database of its own: how much longer pages take,
 * and what dropping a day of them takes. One entry in a thousand was never accepted.
 */
export async function feed({ short }: { short: boolean }): Promise<Figure[]> {
  const size = numberSetting('FERIA_BENCH_ENTRIES', short ? smallSize : usualSize)
  const few = short ? 2_000 : smallSize
  const folder = makeFolder()
  const server = await startDatabase({
    dataDirectory: folder.path,
    // What is filled here is thrown away; nothing is written while pages are read.
    durable: false,
    sharedBuffersMb: Math.floor(totalmem() / 4 / 2 ** 20),
  })
  const opened: FilledFeed[] = []
  try {
    for (const entries of [few, size]) opened.push(await fill(server.url, entries))
    const [small, large] = opened as [FilledFeed, FilledFeed]
    const rounds = short ? 20 : 200
    const figures: Figure[] = []
    const growths: number[] = []
    for (const kind of ['first', 'deep', 'missed'] as const) {
      const [less, more] = await timePages([small, large], kind, rounds)
      figures.push(
        { name: `feed.${kind}_ms_of_few`, value: less, unit: 'ms' },
        { name: `feed.${kind}_ms`, value: more, unit: 'ms' },
      )
      growths.push(more / less)
    }
    figures.push({ name: 'feed.growth', value: Math.max(...growths), unit: 'times, the worst' })
    figures.push({ name: 'feed.drop_ms_of_few', value: await dropDay(small), unit: 'ms' })
    figures.push({ name: 'feed.drop_ms', value: await dropDay(large), unit: 'ms' })
    return figures
  } finally {
    for (const { program, world } of opened) {
      await program.stop()
      await world.close()
    }
    await server.stop()
    folder.remove()
  }
}

interface FilledFeed {
  feed: BenchFeed
  world: BenchSandbox
  program: BenchServer
  token: string
}

async function fill(serverUrl: string, entries: number): Promise<FilledFeed> {
  const url = new URL(serverUrl)
  url.pathname = `/feed_${entries}`
  await queryRows(serverUrl, `create database feed_${entries}`)
  await migrate(url.href)
  const world = await BenchSandbox.open(url.href)
  const { db, now } = world.ctx
  const { applicationIds, sellerIds } = await world.registerSubscribers([
    'http://127.0.0.1:9/callback',
  ])
  const feed: BenchFeed = {
    entries,
    applicationId: applicationIds[0] as number,
    userId: sellerIds[0] as number,
    end: now(),
  }
  for (const day of feedDays(feed)) {
    for (const table of ['notifications', 'attempts']) await ensureDayPartitions(db, table, day)
  }
  const began = performance.now()
  await copyFeed(db, feed)
  await queryRows(url.href, 'vacuum analyze notifications, attempts, unaccepted, lanes')
  const seconds = (performance.now() - began) / 1_000
  const [size] = await queryRows(
    url.href,
    'select pg_size_pretty(pg_database_size(current_database())) as all',
  )
  process.stdout.write(`${entries} entries in ${seconds.toFixed(0)} s, ${size?.['all']}\n`)
  const token = await world.createToken(feed.userId, feed.applicationId)
  const program = await startServer([mainFile, 'serve'], {
    ...benchProgramEnv,
    DATABASE_URL: url.href,
    FERIA_RATE_PER_MINUTE: '100000000',
    FERIA_LOG_LEVEL: 'warn',
  })
  return { feed, world, program, token }
}

async function queryRows(url: string, text: string): Promise<Record<string, string>[]> {
  return (await withClient(url, (client) => client.query(text))).rows
}

type PageKind = 'first' | 'deep' | 'missed'

/** Medians of the same page of each, in turn. */
async function timePages(
  all: readonly FilledFeed[],
  kind: PageKind,
  rounds: number,
): Promise<[number, number]> {
  const took: number[][] = all.map(() => [])
  const pages = await Promise.all(all.map((each) => pageReader(each, kind)))
  for (let round = -5; round < rounds; round++) {
    for (const [index, next] of pages.entries()) {
      const ms = await next()
      if (round >= 0) took[index]?.push(ms)
    }
  }
  const [less = Number.NaN, more = Number.NaN] = took.map(median)
  process.stdout.write(
    `${kind}: ${less.toFixed(1)} ms of few, ${more.toFixed(1)} ms of many, medians of ${rounds}\n`,
  )
  return [less, more]
}

/** Asks for one page after the other. `deep` goes on by cursor from the middle of the feed. */
async function pageReader(of: FilledFeed, kind: PageKind): Promise<() => Promise<number>> {
  const { feed, program, token } = of
  const client = new ApiClient(program.address, token, '')
  const middle = new Date(feed.end.getTime() - 15 * dayMs).toISOString()
  const path = kind === 'missed' ? '/missed_feeds' : '/myfeeds'
  const narrowed = kind === 'deep' ? `&to=${encodeURIComponent(middle)}` : ''
  const first = `${path}?app_id=${feed.applicationId}&limit=10${narrowed}`
  const read = async (query: string) => {
    const began = performance.now()
    const { status, text, body } = await client.send('GET', query, { token })
    const ms = performance.now() - began
    if (status !== 200) throw new Error(`${query}: ${text}`)
    return { ms, ...(body as { messages: object[]; next_cursor: string | null }) }
  }
  let cursor: string | null = null
  if (kind === 'deep') cursor = (await read(first)).next_cursor
  return async () => {
    const page = await read(cursor ? `${first}&cursor=${cursor}` : first)
    const wanted = kind === 'missed' ? 1 : 10
    if (page.messages.length < wanted) throw new Error(`${page.messages.length} on a ${kind} page`)
    if (kind === 'deep') cursor = page.next_cursor
    return page.ms
  }
}

/** What the turn of the history drops: one day of notifications and of their attempts. */
async function dropDay({ world, feed }: FilledFeed): Promise<number> {
  const [first = feed.end] = feedDays(feed)
  const second = new Date(first.getTime() + dayMs)
  const began = performance.now()
  for (const table of ['attempts', 'notifications']) {
    const droppedPartitions = await dropPartitionsBefore(world.ctx.db, table, second)
    if (droppedPartitions.length === 0) throw new Error(`no day of ${table} was dropped`)
  }
  return performance.now() - began
}
