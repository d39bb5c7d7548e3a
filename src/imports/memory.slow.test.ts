import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operatorToken } from '../../test/harness/app.ts'
import {
  importHeaders,
  itemLine,
  orderLine,
  postImportLines,
  userLine,
} from '../../test/harness/import-lines.ts'
import { type Program, startProgram } from '../../test/harness/program.ts'
import { createDemoData } from '../sandbox/demo/demo.ts'

/** A process of its own: what tests hold beside it does not count. */
let program: Program
const data = mkdtempSync(join(tmpdir(), 'feria-import-'))
before(async () => {
  program = await startProgram({
    env: {
      FERIA_DATA: data,
      FERIA_DEMO: 'off',
      FERIA_LOG_LEVEL: 'warn',
      FERIA_OPERATOR_TOKEN: operatorToken,
    },
  })
})
after(async () => {
  await program?.stop()
  rmSync(data, { recursive: true, force: true })
})

const skip = process.platform === 'win32' ? 'there is no ps to read the memory with' : false

const residentBytes = () =>
  1_024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(program.pid)]))

test('a stream far larger than what may be held is imported in bounded memory, read or unread', {
  skip,
}, async () => {
  const now = new Date()
  const [order] = createDemoData({ seed: 5, now, orders: 1, after: 5_000 }).orders
  assert.ok(order)
  const world = createDemoData({ seed: 5, now, orders: 0 })
  await postImportLines(program, [...world.users.map(userLine), ...world.listings.map(itemLine)])
  // What is refused for its buyer has been read, checked and looked up: all but the tables' work.
  const line = `${JSON.stringify({ ...orderLine(order), buyer_id: 4, comments: 'x'.repeat(2_000) })}\n`
  const piece = line.repeat(100)
  const pieces = 1_200
  // By then the process has taken what it works with; from there on it holds what it must not.
  const warm = 100
  let [early, most] = [0, 0]
  const ended = new Promise<string>((resolve, reject) => {
    const importRequest = request(`${program.address}/operator/import`, {
      method: 'POST',
      headers: importHeaders,
    })
    importRequest.on('error', reject)
    importRequest.on('response', (response) => {
      // Nothing of the answer is read before all is sent, as many a client does.
      importRequest.on('finish', () => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve(text))
      })
    })
    void (async () => {
      for (let sent = 0; sent < pieces; sent++) {
        if (!importRequest.write(piece))
          await new Promise((drained) => importRequest.once('drain', drained))
        if (sent % 20 !== 0) continue
        const bytes = residentBytes()
        if (sent <= warm) early = Math.max(early, bytes)
        most = Math.max(most, bytes)
      }
      importRequest.end()
    })()
  })
  const answerLines = (await ended).trimEnd().split('\n')
  assert.deepEqual(JSON.parse(answerLines.at(-1) ?? ''), {
    finished: true,
    done: 100 * pieces,
    imported: 0,
    unchanged: 0,
    refused: 100 * pieces,
  })
  const sentMb = (piece.length * (pieces - warm)) / 1e6
  assert.ok(sentMb > 700, `${sentMb} MB`)
  const grownMb = (most - early) / 1e6
  assert.ok(grownMb < sentMb / 2, `grew by ${grownMb} MB`)
})
