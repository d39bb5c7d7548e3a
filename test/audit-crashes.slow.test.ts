import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { AuditEntryAnswer } from '../src/audit/view.ts'
import { TestClient } from './harness/client.ts'
import { createTestMarket, putItem } from './harness/market.ts'
import { type Program, startProgram } from './harness/program.ts'
import { pollUntil } from './harness/wait.ts'

/** Changes that are answered before each crash. */
const changesPerLife = 60
const lives = 6
const itemIds = Array.from({ length: 8 }, (_, index) => `MLA${8_001 + index}`)

let dataDirectory: string
let program: Program
let client: TestClient

async function start(): Promise<void> {
  program = await startProgram({
    env: { FERIA_DATA: dataDirectory, FERIA_DEMO: 'off', FERIA_LOG_LEVEL: 'error' },
  })
  client = new TestClient(program.address)
}

before(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'feria-audit-crashes-'))
  await start()
  await createTestMarket(client, null)
})
after(async () => {
  await program?.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
})

/** The prices that were answered with success, by listing. */
const answeredPrices = new Map<string, number[]>(itemIds.map((id) => [id, []]))
let nextPrice = 1_000
let answered = 0

/** Gives a listing one price after the other until the program is killed. */
async function changePrices(id: string): Promise<void> {
  for (;;) {
    const price = nextPrice++
    try {
      await putItem(client, id, { price })
    } catch {
      return
    }
    answeredPrices.get(id)?.push(price)
    answered++
  }
}

/** Returns the entries of a listing, the oldest first. */
async function entriesOf(id: string): Promise<AuditEntryAnswer[]> {
  const entries: AuditEntryAnswer[] = []
  for (let cursor = ''; ; ) {
    const { status, body, text } = await client.operator(
      'GET',
      `/operator/audit-log?target=listing:${id}&limit=200${cursor}`,
    )
    assert.equal(status, 200, text)
    entries.push(...body.results)
    if (body.next_cursor === null) return entries.reverse()
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

test('wherever the program or its database is killed, a change has its entry and an entry its change', async () => {
  for (const id of itemIds) await putItem(client, id, { price: nextPrice++ })
  for (let life = 0; life < lives; life++) {
    const limit = answered + changesPerLife
    const writers = itemIds.map(changePrices)
    await pollUntil('enough changes', () => answered >= limit)
    await program.kill({ database: life % 2 === 1 })
    await Promise.all(writers)
    await start()
  }
  for (const id of itemIds) {
    const entries = await entriesOf(id)
    const prices = entries.map(({ before, after }) => [before, after].map(priceOf))
    for (const [index, [price]] of prices.entries()) {
      if (index > 0) assert.equal(price, prices[index - 1]?.[1], `${id}: a change has no entry`)
    }
    const item = await client.get(`/items/${id}`)
    assert.equal(item.status, 200, item.text)
    assert.equal(Number(item.body.price), prices.at(-1)?.[1], `${id}: its last change`)
    const recorded = new Set(prices.map(([, price]) => price))
    const missing = answeredPrices.get(id)?.filter((price) => !recorded.has(price))
    assert.deepEqual(missing, [], `${id}: answered, and without an entry`)
    assert.equal(recorded.size, prices.length, `${id}: an entry twice`)
  }
})

function priceOf(values: object | null): number | undefined {
  return values && 'price' in values ? Number(values.price) : undefined
}
