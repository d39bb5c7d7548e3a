import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { openTestApp } from '../../test/harness/app.ts'
import {
  importHeaders,
  importLines,
  itemLine,
  orderLine,
  userLine,
} from '../../test/harness/history.ts'
import { demoWorld } from '../sandbox/demo/world.ts'

test('a stream far larger than what may be held is imported in bounded memory, read or unread', async () => {
  const app = await openTestApp()
  const [order] = demoWorld({ seed: 5, now: app.ctx.now(), orders: 1, after: 5_000 }).orders
  assert.ok(order)
  const world = demoWorld({ seed: 5, now: app.ctx.now(), orders: 0 })
  await importLines(app, [...world.users.map(userLine), ...world.listings.map(itemLine)])
  // What is refused for its buyer has been read, checked and looked up: all but the tables' work.
  const line = `${JSON.stringify({ ...orderLine(order), buyer_id: 4, comments: 'x'.repeat(2_000) })}\n`
  const piece = line.repeat(100)
  const pieces = 1_200
  // By then the process has taken what it works with; from there on it holds what it must not.
  const warm = 100
  let [before, most] = [0, 0]
  const ended = new Promise<string>((resolve, reject) => {
    const asked = request(`${app.address}/operator/import`, {
      method: 'POST',
      headers: importHeaders,
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      // Nothing of the answer is read before all is sent, as many a client does.
      asked.on('finish', () => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve(text))
      })
    })
    void (async () => {
      for (let sent = 0; sent < pieces; sent++) {
        if (!asked.write(piece)) await new Promise((drained) => asked.once('drain', drained))
        const { rss } = process.memoryUsage()
        if (sent < warm) before = Math.max(before, rss)
        most = Math.max(most, rss)
      }
      asked.end()
    })()
  })
  const told = (await ended).trimEnd().split('\n')
  assert.deepEqual(JSON.parse(told.at(-1) ?? ''), {
    ...{ finished: true, done: 100 * pieces, imported: 0, unchanged: 0, refused: 100 * pieces },
  })
  const sentMb = (piece.length * (pieces - warm)) / 1e6
  assert.ok(sentMb > 700, `${sentMb} MB`)
  const grownMb = (most - before) / 1e6
  assert.ok(grownMb < sentMb / 2, `grew by ${grownMb} MB`)
  await app.close()
})
