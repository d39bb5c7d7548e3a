import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  firstStatus,
  logisticTypes,
  shipmentStatuses,
  shippingModes,
  wrongLogistic,
} from './shipment.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('the platform’s own transport has a logistic type, the seller’s has none (4.1)', () => {
  for (const mode of shippingModes)
    for (const type of [null, ...logisticTypes]) {
      const isRight = mode === 'me2' ? type !== null : type === null || type === 'default'
      assert.equal(wrongLogistic(mode, type) === undefined, isRight, `${mode} ${type}`)
    }
})

test('a shipment begins where its mode says', () => {
  const begins = shippingModes.map((mode) => [mode, firstStatus(mode)])
  assert.deepEqual(Object.fromEntries(begins), {
    me2: 'pending',
    me1: 'pending',
    custom: 'to_be_agreed',
    not_specified: 'to_be_agreed',
  })
})

test('the database knows the same modes, types and statuses, no more and no fewer', async () => {
  const rows = await app.ctx.db.rows<{ text: string }>({
    name: '',
    text: `select pg_get_constraintdef(oid) as text from pg_constraint
      where conrelid = 'shipments'::regclass and contype = 'c'`,
    values: [],
  })
  const sets = rows.map(({ text }) =>
    [...text.matchAll(/'([a-z_0-9]+)'/g)].map(([, name]) => name).sort(),
  )
  const byFirst = (a: unknown[], b: unknown[]) => String(a).localeCompare(String(b))
  const known = [shippingModes, logisticTypes, shipmentStatuses].map((set) => [...set].sort())
  assert.deepEqual(sets.sort(byFirst), known.sort(byFirst))
})
