import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CliFixture, openCliFixture } from '../harness/cli-fixture.ts'
import { TestClient } from '../harness/client.ts'
import { anaId, createTestMarket, placeOrder, putKettle, putUser } from '../harness/market.ts'

/** `feria export` against a server that was started: files, filters, and downloads that broke off. */
let cli: CliFixture
let client: TestClient
before(async () => {
  cli = await openCliFixture()
  client = new TestClient(`http://127.0.0.1:${cli.env()['PORT']}`)
  await createTestMarket(client, null)
  await putKettle(client, 'MLA1001', 20)
  for (let index = 0; index < 5; index++) await placeOrder(client)
  await putUser(client, 4_004, { first_name: 'dos\nlíneas, "y" =comillas' })
  await putUser(client, 4_005)
})
after(() => cli.close())

const fileOf = (name: string) => join(cli.dataDirectory, name)

test('an export is written to a file, which has its name when it is complete', async () => {
  const file = fileOf('orders.ndjson')
  const said = await cli.runSuccessfully('export', 'orders', '--seller', `${anaId}`, '--out', file)
  assert.equal(said, `The orders are in ${file}\n`)
  assert.ok(!existsSync(`${file}.part`))
  const lines = readFileSync(file, 'utf8').split('\n')
  assert.equal(lines.pop(), '')
  assert.equal(lines.length, 5)
  assert.equal(await cli.runSuccessfully('export', 'orders'), `${lines.join('\n')}\n`)
  assert.equal(await cli.runSuccessfully('export', 'orders', '--status', 'paid'), '')
  const [result] = await cli.runJson('export', 'orders', '--out', file)
  assert.deepEqual(result, { file, bytes: readFileSync(file).length })
})

test('an export that broke off anywhere goes on with --resume, to the very file', async () => {
  for (const [kind, format] of [
    ['orders', 'ndjson'],
    ['users', 'ndjson'],
    ['users', 'csv'],
  ] as const) {
    const command = ['export', kind, '--format', format]
    const whole = Buffer.from(await cli.runSuccessfully(...command))
    for (const share of [0, 0.1, 0.5, 0.8, 0.99, 1]) {
      const file = fileOf(`${kind}.${share}.${format}`)
      writeFileSync(`${file}.part`, whole.subarray(0, Math.floor(share * whole.length)))
      await cli.runSuccessfully(...command, '--out', file, '--resume')
      assert.equal(readFileSync(file, 'utf8'), whole.toString('utf8'), `${kind} ${format} ${share}`)
    }
  }
})

test('what cannot be exported or resumed is said', async () => {
  await cli.expectFailure(1, /--resume needs --out FILE/, 'export', 'orders', '--resume')
  await cli.expectFailure(
    1,
    /limit: expected no such parameter/,
    'export',
    'orders',
    '--filter',
    'limit=5',
  )
  await cli.expectFailure(2, /orders, payments/, 'export', 'invoices')
})
