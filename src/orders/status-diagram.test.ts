import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { createTestMarket, placeOrder, putKettle } from '../../test/harness/market.ts'
import { sql } from '../platform/database/sql.ts'
import { canBecome, type OrderStatus, orderStatuses, transitions } from './status.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  await putKettle(app.client, 'MLA1001', 1_000)
})
after(() => app.close())

const beginnings: OrderStatus[] = ['confirmed', 'payment_required']

/** The arrows of the drawing, `from --> to`; one from a state around others is one from each. */
function drawnArrows(): string[] {
  const file = new URL('../../docs/api/orders.md', import.meta.url)
  const drawing = /```mermaid\n(.*?)```/s.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const inside = new Map<string, Set<string>>()
  const arrows: [from: string, to: string][] = []
  let around: string | undefined
  for (const line of drawing.split('\n').map((text) => text.trim())) {
    const opened = /^state (\w+) \{$/.exec(line)?.[1]
    if (opened) inside.set(opened, new Set())
    if (opened || line === '}') around = opened
    const [, from, to] = /^(\S+) --> (\S+)$/.exec(line) ?? []
    if (!from || !to) continue
    arrows.push([from, to])
    if (around) for (const name of [from, to]) if (name !== '[*]') inside.get(around)?.add(name)
  }
  return arrows
    .filter(([, to]) => !inside.has(to))
    .flatMap(([from, to]) => [...(inside.get(from) ?? [from])].map((inner) => `${inner} --> ${to}`))
}

contract(['3.1', 'orders'], 'the drawing has every arrow of the table, and no other', () => {
  const arrows = orderStatuses.flatMap((from) => {
    const next: readonly string[] = transitions[from]
    return (next.length === 0 ? ['[*]'] : next).map((to) => `${from} --> ${to}`)
  })
  const begins = beginnings.map((status) => `[*] --> ${status}`)
  assert.deepEqual(drawnArrows().sort(), [...arrows, ...begins].sort())
})

contract(
  ['3.1', 'orders'],
  'the database knows the same statuses, no more and no fewer',
  async () => {
    const constraints = await app.ctx.db.rows<{ text: string }>(sql`
    select pg_get_constraintdef(oid) as text from pg_constraint
    where conrelid = 'orders'::regclass and contype = 'c'`)
    const ofStatus = constraints.filter(({ text }) => text.includes("'cancelled'"))
    assert.equal(ofStatus.length, 1)
    const allowed = [...(ofStatus[0]?.text.matchAll(/'([a-z_]+)'/g) ?? [])].map(([, name]) => name)
    assert.deepEqual(allowed.sort(), [...orderStatuses].sort())
  },
)

/** How the operator brings a new order there: the shortest way along the arrows. */
function wayTo(wanted: OrderStatus): OrderStatus[] {
  const ways: OrderStatus[][] = beginnings.map((status) => [status])
  for (const way of ways) {
    const last = way.at(-1) as OrderStatus
    if (last === wanted) return way
    for (const next of transitions[last]) if (!way.includes(next)) ways.push([...way, next])
  }
  throw new Error(`there is no way to ${wanted}`)
}

const patch = (id: number, status: OrderStatus) =>
  app.client.operator('PATCH', `/operator/orders/${id}`, { status })

async function orderIn(status: OrderStatus): Promise<number> {
  const [first, ...rest] = wayTo(status)
  const { id } = await placeOrder(app.client, { status: first, shipping: undefined })
  for (const next of rest) {
    const { status: httpStatus, body } = await patch(id, next)
    assert.deepEqual([httpStatus, body.status], [200, next])
  }
  return id
}

async function recorded(): Promise<number> {
  const row = await app.ctx.db.row<{ n: number }>(sql`select count(*) as n from changes`)
  return row?.n ?? 0
}

for (const from of orderStatuses) {
  contract(
    ['3.1', 'orders'],
    `every arrow from ${from} can be gone, and no other way`,
    async () => {
      const resting = await orderIn(from)
      const { body: before } = await app.client.operator('GET', `/operator/orders/${resting}`)
      const changesBefore = await recorded()
      app.advance(1_000)
      for (const to of orderStatuses.filter(
        (candidate) => candidate !== from && !canBecome(from, candidate),
      )) {
        const refused = await patch(resting, to)
        assert.deepEqual([refused.status, refused.body.error], [409, 'status_not_reachable'], to)
        assert.equal(refused.body.message, `status: ${from} cannot become ${to}`)
      }
      const same = await patch(resting, from)
      assert.deepEqual([same.status, same.body], [200, before], 'the status it has is no change')
      assert.equal(await recorded(), changesBefore, 'what was refused is not told')
      for (const to of transitions[from]) {
        const id = await orderIn(from)
        app.advance(1_000)
        const { status, body } = await patch(id, to)
        assert.deepEqual([status, body.status], [200, to])
        assert.equal(body.last_updated, app.ctx.now().toISOString())
      }
    },
  )
}
