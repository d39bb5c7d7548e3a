import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordChanges } from '../../src/changes/record.ts'
import { secondMs } from '../../src/kernel/clock.ts'
import type { Replayer } from '../../src/notifications/replay/replayer.ts'
import { openTestApp, type TestApp } from './app.ts'
import { openTestDatabase } from './database.ts'
import { ana, applicationId, lastingTokens, openMarket } from './sale.ts'

/** Two processes on one database with an application to replay to, and its callback, which answers a
 * status, or late: when it is released. */
export interface Replays {
  app: TestApp
  second: TestApp
  callbackUrl: string
  answers: number | 'late'
  /** The numbers of the resources that it was told of. */
  seen: number[]
  waiting: ServerResponse[]
  /** Answers what waits, and from now on at once. */
  release(status?: number): void
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Forgets all that was told. */
  empty(): Promise<void>
  /** Moves both clocks. */
  advance(ms: number): void
  /** So many changes, `/r/<from>` first, delivered. */
  happen(count: number, from?: number): Promise<void>
  /** Asks for a replay of everything; returns its id. */
  ask(more?: object): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: as the client has it
  read(id: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as the client has it
  order(id: string, state: string): Promise<any>
  /** Turns once a second. */
  work(seconds: number, replayer: Replayer): Promise<void>
  close(): Promise<void>
}

export async function openReplays(): Promise<Replays> {
  const database = await openTestDatabase()
  const app = await openTestApp({ databaseUrl: database.url })
  const second = await openTestApp({ databaseUrl: database.url })
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => {
      replays.seen.push(Number(JSON.parse(String(part)).resource.slice(3)))
    })
    request.on('end', () => {
      if (replays.answers === 'late') replays.waiting.push(response)
      else response.writeHead(replays.answers).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await openMarket(app.client, callbackUrl)
  const token = (await lastingTokens(app.client)).owner
  const url = `/applications/${applicationId}/replays`
  const replays: Replays = {
    app,
    second,
    callbackUrl,
    answers: 200,
    seen: [],
    waiting: [],
    release(status = 200) {
      replays.answers = status
      for (const response of replays.waiting.splice(0)) response.writeHead(status).end()
    },
    rows: (text, values = []) => app.ctx.db.rows({ name: '', text, values }),
    async empty() {
      for (const table of ['notifications', 'attempts', 'unaccepted', 'lanes', 'replays'])
        await replays.rows(`delete from ${table}`)
      Object.assign(replays, { seen: [], waiting: [], answers: 200 })
    },
    advance(ms) {
      app.advance(ms)
      second.advance(ms)
    },
    async happen(count, from = 0) {
      const at = app.ctx.now().getTime()
      const changes = Array.from({ length: count }, (_, index) => ({
        topic: 'orders_v2' as const,
        resource: `/r/${from + index}`,
        userIds: [ana],
        sellerId: ana,
        at: new Date(at + index),
      }))
      await app.ctx.db.transaction((tx) => recordChanges(tx, changes))
      replays.advance(secondMs)
      await app.settle()
    },
    async ask(more = {}) {
      const body = { since: '2026-03-10T00:00:00.000Z', rate_per_second: 1_000, ...more }
      const { status, body: made, text } = await app.client.call('POST', url, { token, body })
      assert.equal(status, 201, text)
      replays.seen = []
      return made.id
    },
    read: async (id) => (await app.client.get(`${url}/${id}`, token)).body,
    order: (id, state) => app.client.call('PATCH', `${url}/${id}`, { token, body: { state } }),
    async work(seconds, replayer) {
      for (let n = 0; n < seconds; n++) {
        await replayer.turn()
        await replayer.idle()
        replays.advance(secondMs)
      }
    },
    async close() {
      await second.close()
      await app.close()
      await database.drop()
      server.closeAllConnections()
      server.close()
    },
  }
  return replays
}
