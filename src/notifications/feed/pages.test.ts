import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  applicationId,
  authorize,
  createTestMarket,
  issueToken,
  type MarketTokens,
  putApplication,
} from '../../../test/harness/market.ts'
import { dayMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import { ensureDayPartitions } from '../../platform/database/partitions.ts'

let app: TestApp
let market: MarketTokens
let other: string

before(async () => {
  app = await openTestApp()
  market = await createTestMarket(app.client, null)
  await putApplication(app.client, 700701)
  await authorize(app.client, 700701, 1001)
  other = await issueToken(app.client, { user_id: 1001, application_id: 700701 })
})
beforeEach(async () => {
  for (const table of ['notifications', 'attempts', 'unaccepted', 'lanes', 'passed_over'])
    await ask(`delete from ${table}`)
})
after(() => app.close())

const ask = <Row>(text: string, values: unknown[] = []) =>
  app.ctx.db.rows<Row>({ name: '', text, values })

type Outcome = 'accepted' | 'not_200' | 'timeout' | 'unreachable' | 'refused_address'
interface Past {
  topic?: string
  resource?: string
  userId?: number
  received?: Date
  /** One after the other; none for what was passed over. */
  outcomes?: Outcome[]
}

const start = Date.parse('2026-03-01T10:00:00.000Z')
const at = (ms: number) => new Date(start + ms)

/** Writes a history as deliveries leave it; the first has number `from`. */
async function fill(count: number, past: (n: number) => Past, from = 1): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const n = from + index
    const { topic = 'orders_v2', resource = `/r/${n}`, userId = 1001, ...more } = past(n)
    const { received = at(n * secondMs), outcomes = ['accepted'] } = more
    return { n, topic, resource, userId, received, outcomes }
  })
  for (const day of new Set(rows.map(({ received }) => received.toISOString().slice(0, 10))))
    for (const table of ['notifications', 'attempts'])
      await ensureDayPartitions(app.ctx.db, table, new Date(`${day}T12:00:00.000Z`))
  await ask(
    `insert into notifications select ${applicationId}, n, filed, lpad(to_hex(n), 24, '0'), "userId",
       topic, resource, received
     from (select r.*, greatest(max(received) over (order by n),
         (select max(fanned_at) from notifications)) as filed from json_to_recordset($1) as r
       (n bigint, topic text, resource text, "userId" bigint, received timestamptz)) as r`,
    [JSON.stringify(rows)],
  )
  const attempts = rows.flatMap(({ outcomes, ...row }) =>
    outcomes.map((outcome, index) => ({ ...row, outcome, attempt: index + 1 })),
  )
  await ask(
    `insert into attempts select ${applicationId}, n, attempt, received + attempt * interval '1 ms',
       outcome, 'http://127.0.0.1/', '{}', '{}', 1, 200, '{}', ''
     from json_to_recordset($1) as r (n bigint, received timestamptz, outcome text, attempt int)`,
    [JSON.stringify(attempts)],
  )
  const missed = rows.filter(
    ({ outcomes }) => outcomes.length > 0 && !outcomes.includes('accepted'),
  )
  await ask(
    `insert into unaccepted select ${applicationId}, n, lpad(to_hex(n), 24, '0'), "userId", topic,
       resource, received, 1, null from json_to_recordset($1) as r
       (n bigint, topic text, resource text, "userId" bigint, received timestamptz)`,
    [JSON.stringify(missed)],
  )
  const last = from + count - 1
  await ask(
    `insert into lanes (application_id, last_seq, last_at, cursor_seq, cursor_at, fence, rests_until)
     values (${applicationId}, $1, now(), $1, now(), 0, now())
     on conflict (application_id) do update set last_seq = excluded.last_seq,
       cursor_seq = excluded.cursor_seq`,
    [last],
  )
}

const read = (path: string, token = market.anaToken) => app.client.get(`/${path}`, token)
const feed = `myfeeds?app_id=${applicationId}`
const missed = `missed_feeds?app_id=${applicationId}`

async function page(path: string) {
  const { status, body, text } = await read(path)
  assert.equal(status, 200, text)
  const numbers: number[] = body.messages.map(({ _id }: { _id: string }) =>
    Number.parseInt(_id, 16),
  )
  return { numbers, next: body.next_cursor as string | null, until: body.searched_until }
}

/** Every page up to the end, and what `between` does after each. */
async function pages(path: string, between: () => Promise<void> = async () => {}) {
  const pageNumbers: number[][] = []
  let next: string | null = null
  do {
    const read = await page(next === null ? path : `${path}&cursor=${next}`)
    pageNumbers.push(read.numbers)
    next = read.next
    await between()
    assert.ok(pageNumbers.length < 1_000, 'the pages come to an end')
  } while (next !== null)
  return pageNumbers
}

const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

contract(
  ['4.5', 'notifications'],
  'by cursor every entry comes once, whatever is told in between',
  async () => {
    for (const [path, outcomes] of [
      [feed, ['accepted']],
      [`${feed}&to=2026-03-02T00:00:00.000Z`, ['accepted']],
      [`${feed}&outcome=timeout`, ['timeout']],
      [missed, ['timeout']],
    ] as [string, Outcome[]][]) {
      for (const table of ['notifications', 'attempts', 'unaccepted', 'lanes'])
        await ask(`delete from ${table}`)
      await fill(23, () => ({ outcomes }))
      let last = 23
      const pageNumbers = await pages(`${path}&limit=5`, async () => {
        await fill(3, () => ({ outcomes }), last + 1)
        last += 3
      })
      assert.deepEqual(
        pageNumbers,
        [down(23, 19), down(18, 14), down(13, 9), down(8, 4), down(3, 1)],
        path,
      )
    }
  },
)

contract(
  ['4.5', 'notifications'],
  'the last page says that it is the last, full or not, and so does an empty feed',
  async () => {
    assert.deepEqual(await page(feed), { numbers: [], next: null, until: undefined })
    await fill(20, () => ({}))
    assert.deepEqual(await pages(feed), [down(20, 11), down(10, 1)])
    assert.deepEqual(await pages(`${feed}&limit=20`), [down(20, 1)])
    assert.deepEqual(await pages(`${feed}&to=${at(9_000).toISOString()}&limit=9`), [down(9, 1)])
  },
)

contract(['4.5', 'notifications'], 'a page by offset goes on by cursor', async () => {
  await fill(30, () => ({}))
  const { numbers, next } = await page(`${feed}&offset=7&limit=4`)
  assert.deepEqual(numbers, down(23, 20))
  assert.deepEqual((await page(`${feed}&limit=4&cursor=${next}`)).numbers, down(19, 16))
})

contract(
  ['4.5', 'notifications'],
  'every filter shows what it names, alone and with others, in both feeds',
  async () => {
    await fill(40, (n) => ({
      topic: n % 2 === 0 ? 'payments' : 'orders_v2',
      resource: `/r/${n % 10}`,
      userId: n % 4 === 0 ? 2002 : 1001,
      outcomes:
        n % 5 === 0 ? ['not_200', 'timeout'] : n % 3 === 0 ? ['timeout', 'accepted'] : ['accepted'],
    }))
    const all = down(40, 1)
    const times = `from=${at(10_000).toISOString()}&to=${at(20_000).toISOString()}`
    const local = `from=2026-03-01T07:00:10.000-0300`.replace('+', '%2B')
    const cases: [query: string, fits: (n: number) => boolean][] = [
      ['topic=payments', (n) => n % 2 === 0],
      ['resource=/r/7', (n) => n % 10 === 7],
      ['resource=/r/', () => false],
      ['user_id=2002', (n) => n % 4 === 0],
      [`from=${at(10_000).toISOString()}`, (n) => n >= 10],
      [local, (n) => n >= 10],
      [`to=${at(20_000).toISOString()}`, (n) => n <= 20],
      [times, (n) => n >= 10 && n <= 20],
      [`${times}&topic=payments&user_id=2002&resource=/r/2`, (n) => n === 12],
      [
        `${times}&from=${at(10_001).toISOString()}`.replace(/^from=[^&]*&/, ''),
        (n) => n > 10 && n <= 20,
      ],
      ['outcome=timeout', (n) => n % 5 === 0],
      ['outcome=timeout&topic=payments&limit=3', (n) => n % 10 === 0],
      [`outcome=timeout&${times}`, (n) => n === 10 || n === 15 || n === 20],
      ['outcome=not_200', () => false],
      ['outcome=accepted', (n) => n % 5 !== 0],
      [`outcome=accepted&${times}`, (n) => n % 5 !== 0 && n >= 10 && n <= 20],
    ]
    for (const [query, fits] of cases) {
      const limit = query.includes('limit') ? '' : '&limit=7'
      const expected = all.filter(fits)
      assert.deepEqual((await pages(`${feed}&${query}${limit}`)).flat(), expected, query)
      const notAccepted = expected.filter((n) => n % 5 === 0)
      assert.deepEqual((await pages(`${missed}&${query}${limit}`)).flat(), notAccepted, query)
    }
  },
)

contract(
  ['4.5', 'notifications'],
  'a filter that matches rarely reads a bounded stretch a request, and says how far it came',
  async () => {
    const rare = (n: number) => (n === 3 ? { topic: 'claims' } : {})
    await fill(25_000, (n) => ({ ...rare(n), outcomes: n < 11_000 ? ['timeout'] : ['accepted'] }))
    for (const path of [feed, `${feed}&to=2026-03-09T00:00:00.000Z`]) {
      const first = await page(`${path}&topic=claims`)
      assert.deepEqual(first.numbers, [], path)
      assert.ok(
        first.until > at(12_000_000).toISOString() && first.until < at(16_000_000).toISOString(),
      )
      const pageNumbers = await pages(`${path}&topic=claims`)
      assert.ok(pageNumbers.length <= 4, `${pageNumbers.length} requests`)
      assert.deepEqual(pageNumbers.flat(), [3], path)
    }
    for (const path of [missed, `${feed}&outcome=timeout`]) {
      assert.deepEqual((await page(`${path}&topic=claims`)).numbers, [], path)
      assert.deepEqual((await pages(`${path}&topic=claims`)).flat(), [3], path)
    }
  },
)

contract(
  ['4.5', 'notifications'],
  'a feed that begins in the past begins there at once',
  async () => {
    await fill(15_000, (n) => ({ received: at(n * minuteMs) }))
    const { numbers, until } = await page(`${feed}&to=${at(50 * minuteMs).toISOString()}`)
    assert.deepEqual([numbers, until], [down(50, 41), undefined])
    const from = at(15_000 * minuteMs - 3 * minuteMs).toISOString()
    assert.deepEqual(await pages(`${feed}&from=${from}&topic=nothing`), [[]])
  },
)

contract(
  ['4.5', 'notifications'],
  'with what was recorded long before it was told, the times asked for still hold',
  async () => {
    await fill(10, (n) => ({ received: at(n * secondMs + 5 * dayMs) }))
    await fill(10, (n) => ({ received: at(n * secondMs) }), 11)
    assert.deepEqual((await pages(`${feed}&limit=6`)).flat(), down(20, 1))
    assert.deepEqual(
      (await pages(`${feed}&to=${at(dayMs).toISOString()}&limit=6`)).flat(),
      down(20, 11),
    )
    assert.deepEqual(
      (await pages(`${feed}&from=${at(dayMs).toISOString()}&limit=6`)).flat(),
      down(10, 1),
    )
  },
)

contract('4.5', 'what was passed over is no entry, and pages are full all the same', async () => {
  await fill(3_000, (n) => ({ outcomes: n % 100 === 0 || n < 5 ? ['accepted'] : [] }))
  assert.deepEqual(
    (await page(feed)).numbers,
    down(30, 21).map((n) => n * 100),
  )
  assert.deepEqual((await page(`${feed}&offset=28&limit=4`)).numbers, [200, 100, 4, 3])
  assert.deepEqual((await pages(`${feed}&limit=15`)).flat().length, 34)
})

contract(
  ['4.5', 'notifications'],
  'a cursor is good for its feed, application and filters alone, and is made by nobody else',
  async () => {
    await fill(30, () => ({ outcomes: ['timeout'] }))
    const { next } = await page(`${feed}&topic=orders_v2`)
    assert.ok(next)
    assert.equal((await read(`${feed}&topic=orders_v2&limit=3&cursor=${next}`)).status, 200)
    const forged = Buffer.from(Buffer.from(next, 'base64url').toString().replace(/^\d+/, '29'))
    const refused: [path: string, token?: string][] = [
      [`${feed}&cursor=${next}`],
      [`${feed}&topic=payments&cursor=${next}`],
      [`${feed}&topic=orders_v2&to=2026-03-09T00:00:00.000Z&cursor=${next}`],
      [`${missed}&topic=orders_v2&cursor=${next}`],
      [`myfeeds?app_id=700701&topic=orders_v2&cursor=${next}`, other],
      [`${feed}&topic=orders_v2&cursor=${forged.toString('base64url')}`],
      [`${feed}&topic=orders_v2&cursor=${next.slice(0, -1)}`],
      [`${feed}&topic=orders_v2&cursor=nonsense`],
      [`${feed}&topic=orders_v2&cursor=`],
    ]
    for (const [path, token] of refused) {
      const { status, body } = await read(path, token)
      assert.equal(status, 400, path)
      assert.match(body.message, /^cursor: expected the `next_cursor`/, path)
    }
  },
)

contract(
  ['4.5', '7', 'notifications'],
  'wrong values are refused by name; far pages are sent to the cursor',
  async () => {
    const cases: [query: string, message: RegExp][] = [
      ['from=yesterday', /^from: expected an ISO 8601 timestamp/],
      ['to=2026-02-30T00:00:00.000Z', /^to: expected an ISO 8601 timestamp/],
      ['to=2026-02-30', /^to: expected an ISO 8601 timestamp/],
      ['from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', /^from: expected .* not after `to`/],
      ['outcome=failed', /^outcome: expected one of accepted, not_200, timeout, unreachable/],
      ['user_id=ana', /^user_id: /],
      ['user_id=0', /^user_id: /],
      ['offset=10001', /^offset: expected .* from 0 to 10000; .*`cursor`/],
      [`resource=${'x'.repeat(501)}`, /^resource: expected at most 500/],
    ]
    for (const path of [feed, missed])
      for (const [query, message] of cases) {
        const { status, body } = await read(`${path}&${query}`)
        assert.equal(status, 400, query)
        assert.match(body.message, message)
      }
    await fill(30, () => ({}))
    const { next } = await page(feed)
    assert.match(
      (await read(`${feed}&cursor=${next}&offset=1`)).body.message,
      /^offset: expected 0/,
    )
  },
)
