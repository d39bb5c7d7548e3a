import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type AlteredResponse, openAlteringProxy } from './harness/altering-proxy.ts'
import { parseJsonLines } from './harness/cli-fixture.ts'
import { runFeria } from './harness/command.ts'
import { type Program, startProgram } from './harness/program.ts'

/** `feria conform` as a person runs it, against a started server with its demo data, and against the
 * same server behind a proxy that makes one thing wrong. */
let folder: string
let program: Program
let [token, buyer] = ['', '']

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'feria-conform-'))
  const env = { FERIA_DATA: join(folder, 'data'), FERIA_LOG_LEVEL: 'warn' }
  program = await startProgram({ env })
  const startupValue = (name: string) =>
    new RegExp(`${name}=(\\S+)`).exec(program.output())?.[1] ?? ''
  token = startupValue('SELLER')
  buyer = startupValue('BUYER')
})
after(async () => {
  await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

const conform = (address: string, ...args: string[]) =>
  runFeria({}, 'conform', address, '--token', token, ...args)

test('a started server speaks the whole contract: nothing differs, and little has no material', async () => {
  const writing = ['--write', '--operator-token', 'feria-sandbox-operator']
  // The second time on what the first one has left.
  for (let times = 0; times < 2; times++) {
    const { code, stdout, output } = await conform(program.address, ...writing)
    assert.equal(code, 0, output)
    const figure = (name: string) =>
      Number(new RegExp(`figure conform.${name} (\\d+)`).exec(stdout)?.[1])
    assert.equal(figure('failed'), 0)
    assert.ok(figure('checks') >= 250, stdout)
    // Quotations and invoices are of one site each.
    assert.ok(figure('skipped') <= 2, stdout)
    assert.match(stdout.trimEnd(), /figure conform\.failed 0$/)
  }
  process.stdout.write('figure conform.failed 0\n')
})

test('it reads only unless it may write', async () => {
  const proxy = await openAlteringProxy(program.address)
  try {
    await conform(proxy.address, '--buyer-token', buyer)
    assert.ok(proxy.requests.length > 200)
    const others = proxy.requests.filter((each) => !/^(GET|OPTIONS) |top_values/.test(each))
    assert.deepEqual(others, [])
  } finally {
    proxy.close()
  }
})

test('a server that gets one thing wrong is told of, at its section and with what differs', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  const results = (change: (order: any) => object) => (body: any) => ({
    ...body,
    results: body.results.map((each: object) => ({ ...each, ...change(each) })),
  })
  const one = /GET \/orders\/\d+$/
  const search = /GET \/orders\/search\?seller=\d+$/
  const cases: [doctored: AlteredResponse, section: string, says: RegExp][] = [
    [
      { path: one, body: (body) => ({ ...body, total_amount: String(body.total_amount) }) },
      ...(['2.2', /body\.total_amount: expected a number, found "/] as const),
    ],
    [
      { path: one, body: ({ context: _, ...rest }) => rest },
      ...(['2.2', /body\.context: missing/] as const),
    ],
    [
      { path: one, body: (body) => ({ ...body, total_amount: body.total_amount + 1 }) },
      ...(['2.2', /the total is the sum of the lines/] as const),
    ],
    [
      { path: one, body: (body) => ({ ...body, date_created: body.date_created.slice(0, 19) }) },
      ...(['2.2', /body\.date_created: expected a timestamp/] as const),
    ],
    [
      { path: /GET \/orders\/1$/, status: 400 },
      ...(['7.5', /expected status 404, found 400/] as const),
    ],
    [
      { path: /GET \/orders\/1$/, body: (body) => ({ ...body, error: 'not_found' }) },
      ...(['7.5', /error: expected order_not_found, found "not_found"/] as const),
    ],
    [
      { path: search, body: results(() => ({ status: 'cancelled' })) },
      ...(['4.3', /expected no element with status cancelled/] as const),
    ],
    [
      {
        path: /sort=date_desc$/,
        body: (body) => ({ ...body, results: body.results.toReversed() }),
      },
      ...(['4.3', /expected descending by date_closed/] as const),
    ],
    [
      { path: /GET \/sites$/, body: (body) => body.slice(1) },
      ...(['2.1', /expected an element with id M/] as const),
    ],
    [
      { path: /categories\/all/, without: 'x-content-md5' },
      ...(['4.4', /header x-content-md5: expected .* found null/] as const),
    ],
    [
      {
        path: /GET \/messages\/packs/,
        body: (body) => ({ ...body, seller_max_message_length: 300 }),
      },
      ...(['4.2', /seller_max_message_length: expected one of 350, found 300/] as const),
    ],
  ]
  for (const [doctored, section, says] of cases) {
    const proxy = await openAlteringProxy(program.address, doctored)
    try {
      const { code, stdout, output } = await conform(proxy.address, '--section', section)
      assert.equal(code, 1, `${doctored.path}: ${output}`)
      assert.match(stdout, says, `${doctored.path}`)
      assert.doesNotMatch(stdout, /figure conform\.failed 0/)
    } finally {
      proxy.close()
    }
  }
})

test('with --json each check is one line, and the counts are the last', async () => {
  const { code, stdout } = await conform(program.address, '--section', '2.1', '--json')
  assert.equal(code, 0)
  const lines = parseJsonLines(stdout)
  assert.deepEqual(lines.at(-1), { checks: 20, passed: 20, failed: 0, skipped: 0 })
  const [first] = lines
  assert.deepEqual([first.section, first.request, first.outcome], ['2.1', 'GET /sites', 'passed'])
})

test('what it cannot begin with is said in a sentence', async () => {
  const cases: [args: string[], code: number, says: RegExp][] = [
    [
      ['http://127.0.0.1:1', '--token', 'x'],
      1,
      /no server at http:\/\/127\.0\.0\.1:1 that answers/,
    ],
    [[program.address, '--token', 'x'], 2, /--token: expected an access token of a seller/],
    [[program.address, '--token', token, '--section', '99'], 2, /--section: expected one of 2\.1/],
    [[program.address], 2, /--token is missing/],
  ]
  for (const [args, code, says] of cases) {
    const ran = await runFeria({}, 'conform', ...args)
    assert.equal(ran.code, code, ran.output)
    assert.match(ran.stderr, says)
    assert.doesNotMatch(ran.output, /\n\s+at /, 'no stack trace')
  }
})
