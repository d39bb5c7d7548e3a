import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bodyOf, eachMessage, eachOrder, type Feria, openFeria } from 'feria/client'
import { sandboxOperatorToken } from '../src/platform/config.ts'
import { contract } from '../test/harness/contract.ts'
import { type Program, startProgram } from '../test/harness/program.ts'
import { nextEvent, pollUntil, programBoundMs, within } from '../test/harness/wait.ts'

/** Each example as a person starts it, against a started server with its demo world. */
let folder: string
let program: Program
let [operator, seller, buyer] = [] as unknown as [Feria, Feria, Feria]
let token = ''
let sellerId = 0
let buyerId = 0
let applicationId = 0

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feria-examples-'))
  const env = { FERIA_DATA: join(folder, 'data'), FERIA_LOG_LEVEL: 'warn' }
  program = await startProgram({ env })
  const startupValue = (name: string) =>
    new RegExp(`${name}=(\\S+)`).exec(program.output())?.[1] ?? ''
  const as = (token: string) => openFeria({ baseUrl: program.address, token })
  token = startupValue('SELLER')
  operator = as(sandboxOperatorToken)
  seller = as(token)
  buyer = as(startupValue('BUYER'))
  sellerId = (await bodyOf(seller.GET('/users/me'))).id
  buyerId = (await bodyOf(buyer.GET('/users/me'))).id
  applicationId = Number(startupValue('APPLICATION'))
})
after(async () => {
  await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

function start(example: string, args: string[] = [], more: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(example, import.meta.url))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, FERIA: program.address, TOKEN: token, ...more }
  const child = spawn(process.execPath, ['--conditions=feria-source', file, ...args], { env })
  let soFar = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      soFar += part.toString('utf8')
    })
  }
  return { child, soFar: () => soFar }
}

/** What it printed; it must have ended well. */
async function run(example: string, ...args: string[]): Promise<string> {
  const { child } = start(example, args)
  const [out, error, [code]] = await within(
    `${example} to end`,
    Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]),
    programBoundMs,
  )
  assert.equal(code, 0, `${example}: ${out}${error}`)
  return out
}

test('the order importer brings every order once, goes on where it was cut off, and sees what changes', async () => {
  const file = join(folder, 'orders.ndjson')
  const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n')
  const ids = () => lines().map((line) => JSON.parse(line).id as number)
  const there: number[] = []
  for await (const { id } of eachOrder(seller, { seller: sellerId })) there.push(id)
  assert.ok(there.length > 50)
  await run('order-importer.ts', file)
  assert.deepEqual(
    there.filter((id) => !ids().includes(id)),
    [],
  )
  const whole = ids()
  // As it dies in the middle of a line.
  const [half, text] = [Math.floor(whole.length / 2), readFileSync(file, 'utf8')]
  writeFileSync(file, text.slice(0, text.split('\n', half).join('\n').length + 50))
  await run('order-importer.ts', file)
  assert.deepEqual(ids(), whole)
  assert.match(await run('order-importer.ts', file), /^0 orders/)

  const [order_id = 0] = whole
  const params = { path: { order_id: String(order_id) } }
  await bodyOf(operator.PATCH('/operator/orders/{order_id}', { params, body: { comments: 'x' } }))
  assert.match(await run('order-importer.ts', file), /^1 orders/)
  assert.equal(ids().at(-1), order_id)
})

test('the message bot answers what it knows, once, and leaves the rest unread', async () => {
  const packs: number[] = []
  for (const text of ['¿Me mandan la factura?', '¿Tienen local a la calle?']) {
    const body = {
      buyer_id: buyerId,
      currency_id: 'ARS' as const,
      lines: [{ item_id: await listed(), quantity: 1 }],
      shipping: { mode: 'custom', cost: 0 } as const,
    }
    const { id } = await bodyOf(operator.POST('/operator/orders', { body }))
    packs.push(id)
    const path = { pack_id: String(id), seller_id: String(sellerId) }
    await bodyOf(
      buyer.POST('/messages/packs/{pack_id}/sellers/{seller_id}', {
        params: { path, query: { tag: 'post_sale' } },
        body: { from: { user_id: buyerId }, to: { user_id: sellerId }, text },
      }),
    )
  }
  const [knownPack = 0, unknownPack = 0] = packs
  const output = await run('message-bot.ts')
  assert.match(output, new RegExp(`/packs/${knownPack}/sellers/${sellerId}: answered\n`))
  assert.match(output, new RegExp(`/packs/${unknownPack}/sellers/${sellerId}: left to people`))
  const again = await run('message-bot.ts')
  assert.doesNotMatch(again, new RegExp(`/packs/${knownPack}/`))
  assert.match(again, new RegExp(`/packs/${unknownPack}/`))
  const texts: string[] = []
  for await (const message of eachMessage(seller, { packId: knownPack, sellerId }))
    texts.push(message.text)
  assert.deepEqual(texts, [
    '¡Hola! La factura llega por este medio dentro de las 48 horas.',
    '¿Me mandan la factura?',
  ])
})

/** A listing of the demo seller that has something left. */
async function listed(): Promise<string> {
  const params = { path: { user_id: String(sellerId) }, query: { status: 'active' as const } }
  const { results } = await bodyOf(seller.GET('/users/{user_id}/items/search', { params }))
  const query = { ids: results.slice(0, 20).join(',') }
  const items = await bodyOf(seller.GET('/items', { params: { query } }))
  const item = items.find(
    ({ code, body }) => code === 200 && body.available_quantity > 2 && body.variations.length === 0,
  )
  assert.ok(item?.code === 200)
  return item.body.id
}

for (const kind of ['fastify', 'express']) {
  contract(
    ['6.1', '6.3'],
    `the receiver with ${kind} takes what is signed, refuses what is not, and reads what changed`,
    async () => {
      const path = { application_id: applicationId }
      const response = operator.POST('/operator/applications/{application_id}/signing-secrets', {
        params: { path },
        body: {},
      })
      const { secret } = await bodyOf(response)
      const secrets = `whsec_${Buffer.from('an older one of another').toString('base64')},${secret}`
      const { child, soFar } = start(`callback-${kind}.ts`, [], { SECRETS: secrets, PORT: '0' })
      try {
        const url = await pollUntil('it to listen', () => /ready at (\S+)/.exec(soFar())?.[1])
        await callback(url)
        let last = 0
        for await (const { id } of eachOrder(seller, {
          seller: sellerId,
          tags: 'paid',
          limit: 5,
        })) {
          const params = { path: { order_id: String(id) } }
          const body = { comments: `for ${kind}` }
          await bodyOf(operator.PATCH('/operator/orders/{order_id}', { params, body }))
          last = id
          break
        }
        const line = new RegExp(`orders_v2 /orders/${last} is \\w+, notified in attempt 1`)
        await pollUntil('the change to be read', () => line.test(soFar()))
        const forged = { resource: `/orders/${last}`, topic: 'orders_v2', attempts: 9 }
        const answer = await fetch(url, { method: 'POST', body: JSON.stringify(forged) })
        assert.equal(answer.status, 401)
        assert.doesNotMatch(soFar(), /attempt 9/)
      } finally {
        await callback(null)
        const ended = nextEvent(child, 'exit')
        child.kill('SIGTERM')
        assert.deepEqual(await ended, [0, null], soFar())
      }
    },
  )
}

async function callback(callback_url: string | null): Promise<void> {
  const params = { path: { id: String(applicationId) } }
  const body = { name: 'Demo', topics: ['orders_v2' as const], callback_url }
  await bodyOf(operator.PUT('/operator/applications/{id}', { params, body }))
}

test('the stock of an ERP reaches the listings that say something else, and only those', async () => {
  const id = await listed()
  const params = { path: { item_id: id } }
  const read = async () => bodyOf(seller.GET('/items/{item_id}', { params }))
  const { seller_sku: sku, available_quantity: had } = await read()
  const file = join(folder, 'stock.csv')
  writeFileSync(file, `${sku},${had + 7}\nNOT-LISTED,3\n`)
  const output = await run('stock-sync.ts', file)
  assert.match(output, new RegExp(`^${id} \\(${sku}\\): ${had} → ${had + 7}\n1 of \\d+ listings`))
  assert.equal((await read()).available_quantity, had + 7)
  assert.match(await run('stock-sync.ts', file), /^0 of/)
})
