import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordChanges } from '../../src/changes/record.ts'
import { secondMs } from '../../src/kernel/clock.ts'
import type { Replayer } from '../../src/notifications/replay/replayer.ts'
import { openTestApp, type TestApp } from './app.ts'
import { openTestDatabase } from './database.ts'
import { anaId, applicationId, createLongLivedTokens, createTestMarket } from './market.ts'
import { nextEvent } from './wait.ts'

/** Two processes on one database with an application to replay to, and its callback, which answers a
 * status, or late: when it is released. */
export interface ReplayFixture {
  app: TestApp
  secondApp: TestApp
  callbackUrl: string
  responseStatus: number | 'late'
  /** The numbers of the resources that it was told of. */
  receivedNumbers: number[]
  heldResponses: ServerResponse[]
  /** Answers what waits, and from now on at once. */
  releaseResponses(status?: number): void
  queryRows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Forgets all that was told. */
  reset(): Promise<void>
  /** Moves both clocks. */
  advance(ms: number): void
  /** So many changes, `/r/<from>` first, delivered. */
  deliverChanges(count: number, from?: number): Promise<void>
  /** Asks for a replay of everything; returns its id. */
  createReplay(more?: object): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: as the client has it
  getReplay(id: string): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as the client has it
  setReplayState(id: string, state: string): Promise<any>
  /** Turns once a second. */
  runReplayer(seconds: number, replayer: Replayer): Promise<void>
  close(): Promise<void>
}

export async function openReplayFixture(): Promise<ReplayFixture> {
  const database = await openTestDatabase()
  const app = await openTestApp({ databaseUrl: database.url })
  const second = await openTestApp({ databaseUrl: database.url })
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => {
      replays.receivedNumbers.push(Number(JSON.parse(String(part)).resource.slice(3)))
    })
    request.on('end', () => {
      if (replays.responseStatus === 'late') replays.heldResponses.push(response)
      else response.writeHead(replays.responseStatus).end()
    })
  }).listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await createTestMarket(app.client, callbackUrl)
  const token = (await createLongLivedTokens(app.client)).ownerToken
  const url = `/applications/${applicationId}/replays`
  const replays: ReplayFixture = {
    app,
    secondApp: second,
    callbackUrl,
    responseStatus: 200,
    receivedNumbers: [],
    heldResponses: [],
    releaseResponses(status = 200) {
      replays.responseStatus = status
      for (const response of replays.heldResponses.splice(0)) response.writeHead(status).end()
    },
    queryRows: (text, values = []) => app.ctx.db.rows({ name: '', text, values }),
    async reset() {
      for (const table of ['notifications', 'attempts', 'unaccepted', 'lanes', 'replays'])
        await replays.queryRows(`delete from ${table}`)
      Object.assign(replays, { receivedNumbers: [], heldResponses: [], responseStatus: 200 })
    },
    advance(ms) {
      app.advance(ms)
      second.advance(ms)
    },
    async deliverChanges(count, from = 0) {
      const at = app.ctx.now().getTime()
      const changes = Array.from({ length: count }, (_, index) => ({
        topic: 'orders_v2' as const,
        resource: `/r/${from + index}`,
        userIds: [anaId],
        sellerId: anaId,
        at: new Date(at + index),
      }))
      await app.ctx.db.transaction((tx) => recordChanges(tx, changes))
      replays.advance(secondMs)
      await app.runPendingWork()
    },
    async createReplay(more = {}) {
      const body = { since: '2026-03-10T00:00:00.000Z', rate_per_second: 1_000, ...more }
      const { status, body: replay, text } = await app.client.send('POST', url, { token, body })
      assert.equal(status, 201, text)
      replays.receivedNumbers = []
      return replay.id
    },
    getReplay: async (id) => (await app.client.get(`${url}/${id}`, token)).body,
    setReplayState: (id, state) =>
      app.client.send('PATCH', `${url}/${id}`, { token, body: { state } }),
    async runReplayer(seconds, replayer) {
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
