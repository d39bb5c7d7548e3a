import assert from 'node:assert/strict'

import { Compile } from 'typebox/compile'
import { contract } from '../../test/harness/contract.ts'
import { ClaimBody } from './bodies.ts'
import { type Claim, claimStages, claimTypes, transitionClaim } from './claim.ts'
import { applyClaimBody } from './update.ts'
import { claimView } from './view.ts'

const at = (day: number) => new Date(Date.UTC(2026, 2, day))
const facts = {
  id: 7,
  sellerId: 1001,
  buyerId: 2002,
  orderId: 5,
  siteId: 'MLA' as const,
  sold: 3,
  isDelivered: false,
  now: at(1),
}
const resolution = {
  reason: 'payment_refunded',
  benefited: ['complainant' as const],
  closed_by: 'respondent' as const,
}
const opened = (body: ClaimBody = {}) => applyClaimBody(undefined, body, facts)
const closed = (body: ClaimBody = {}) =>
  applyClaimBody(opened(body), { status: 'closed', resolution }, facts)

contract(['2.2', 'orders'], 'where a claim may go from where it stands', () => {
  const ways: [from: string, asked: Partial<Pick<Claim, 'stage' | 'status'>>, to: string | null][] =
    [
      ['opened claim', {}, 'opened claim'],
      ['opened claim', { stage: 'claim' }, 'opened claim'],
      ['opened claim', { stage: 'dispute' }, 'opened dispute'],
      ['opened claim', { stage: 'none' }, null],
      ['opened claim', { stage: 'recontact' }, null],
      ['opened claim', { status: 'closed' }, 'closed claim'],
      ['opened claim', { status: 'closed', stage: 'dispute' }, 'closed dispute'],
      ['opened none', { stage: 'claim' }, 'opened claim'],
      ['opened none', { stage: 'dispute' }, 'opened dispute'],
      ['opened dispute', { stage: 'claim' }, null],
      ['opened dispute', { stage: 'recontact' }, null],
      ['opened recontact', { stage: 'dispute' }, 'opened dispute'],
      ['opened recontact', { stage: 'claim' }, null],
      ['closed claim', {}, 'closed claim'],
      ['closed claim', { status: 'closed' }, 'closed claim'],
      ['closed claim', { stage: 'dispute' }, null],
      ['closed dispute', { status: 'opened' }, 'opened recontact'],
      ['closed dispute', { status: 'opened', stage: 'recontact' }, 'opened recontact'],
      ['closed dispute', { status: 'opened', stage: 'dispute' }, null],
      ['closed recontact', { status: 'opened' }, 'opened recontact'],
    ]
  for (const [from, body, to] of ways) {
    const [status, stage] = from.split(' ') as [Claim['status'], Claim['stage']]
    const why = `${from} ${JSON.stringify(body)}`
    if (to === null) {
      assert.throws(
        () => transitionClaim({ stage, status }, body),
        /^Failure: stage: .* cannot/,
        why,
      )
      continue
    }
    const moved = transitionClaim({ stage, status }, body)
    assert.equal(`${moved.status} ${moved.stage}`, to, why)
  }
})

contract('2.2', 'a claim begins at the stage of its type, opened by who may open one of it', () => {
  const begins: Record<string, string> = {}
  for (const type of claimTypes) {
    const { stage, openedBy, status } = opened({ type })
    begins[type] = `${stage} ${openedBy}`
    assert.equal(status, 'opened')
  }
  assert.deepEqual(begins, {
    mediations: 'claim buyer',
    return: 'claim buyer',
    change: 'claim buyer',
    fulfillment: 'claim buyer',
    service: 'claim buyer',
    cancel_purchase: 'none buyer',
    cancel_sale: 'none seller',
  })
  assert.equal(opened({ opened_by: 'seller' }).openedBy, 'seller')
  for (const [type, by] of [
    ['cancel_sale', 'buyer'],
    ['cancel_purchase', 'seller'],
    ['return', 'seller'],
    ['change', 'seller'],
  ] as const)
    assert.throws(() => opened({ type, opened_by: by }), /opened_by: expected /, type)
  for (const stage of claimStages) assert.equal(opened({ stage }).stage, stage)
})

contract('2.2', 'the complainant is who opened it, the respondent the other one', () => {
  for (const [by, complainant, respondent] of [
    ['buyer', 2002, 1001],
    ['seller', 1001, 2002],
  ] as const) {
    const { players } = claimView(opened({ opened_by: by })) as { players: unknown[] }
    const other = by === 'buyer' ? 'seller' : 'buyer'
    assert.deepEqual(players, [
      { role: 'complainant', type: by, user_id: complainant, available_actions: [] },
      { role: 'respondent', type: other, user_id: respondent, available_actions: [] },
    ])
  }
})

contract(['2.2', 'orders'], 'a closed claim has a resolution, an open one has none', () => {
  assert.throws(() => opened({ resolution }), /^Failure: resolution: expected none/)
  assert.throws(() => opened({ status: 'closed' }), /^Failure: resolution: expected a value/)
  const first = closed()
  assert.deepEqual(first.resolution, {
    ...resolution,
    date_created: '2026-03-01T00:00:00.000Z',
    applied_coverage: false,
  })
  const later = { ...facts, now: at(2) }
  assert.deepEqual(applyClaimBody(first, { resolution }, later), first, 'the same again')
  assert.deepEqual(applyClaimBody(first, {}, later), first)
  const dated = { ...resolution, date_created: '2026-03-05T00:00:00-03:00' }
  const { resolution: moved } = applyClaimBody(first, { resolution: dated }, later)
  assert.equal(moved?.date_created, '2026-03-05T03:00:00.000Z')
  const again = applyClaimBody(first, { status: 'opened' }, later)
  assert.equal(again.resolution, null)
  const second = applyClaimBody(again, { status: 'closed', resolution }, later)
  assert.equal(second.resolution?.date_created, '2026-03-02T00:00:00.000Z')
})

contract('2.2', 'a claim is of all pieces of its order or of some', () => {
  assert.deepEqual([opened().claimedQuantity, opened().quantityType], [3, 'total'])
  const some = opened({ claimed_quantity: 2 })
  assert.deepEqual([some.claimedQuantity, some.quantityType], [2, 'partial'])
  assert.equal(applyClaimBody(some, { claimed_quantity: 3 }, facts).quantityType, 'total')
  assert.throws(
    () => opened({ claimed_quantity: 4 }),
    /^Failure: claimed_quantity: expected at most 3/,
  )
})

contract('2.2', 'what is not named stays, and what a claim was opened as stays in any case', () => {
  const claim = opened({ reason_id: 'PDD9549', parent_id: 3, related_entities: ['return'] })
  assert.deepEqual(applyClaimBody(claim, {}, { ...facts, now: at(9), isDelivered: true }), claim)
  const same = { type: 'mediations', opened_by: 'buyer' } as const
  assert.deepEqual(applyClaimBody(claim, same, facts), claim)
  assert.throws(
    () => applyClaimBody(claim, { type: 'return' }, facts),
    /^Failure: type: expected mediat/,
  )
  assert.throws(
    () => applyClaimBody(claim, { opened_by: 'seller' }, facts),
    /^Failure: opened_by: expec/,
  )
  const changed = applyClaimBody(
    claim,
    { reason_id: null, parent_id: null, fulfilled: true },
    facts,
  )
  assert.deepEqual(
    [changed.reasonId, changed.parentId, changed.fulfilled, changed.relatedEntities],
    [null, null, true, ['return']],
  )
})

contract('2.2', 'whether the pieces had arrived is taken from the order unless it is said', () => {
  const delivered = { ...facts, isDelivered: true }
  assert.equal(opened().fulfilled, false)
  assert.equal(applyClaimBody(undefined, {}, delivered).fulfilled, true)
  assert.equal(applyClaimBody(undefined, { fulfilled: false }, delivered).fulfilled, false)
})

/** A claim as it was recorded. */
const recorded = {
  id: 5256749420,
  resource_id: 2000007819609432,
  status: 'closed',
  type: 'mediations',
  stage: 'claim',
  parent_id: null,
  resource: 'order',
  reason_id: 'PDD9549',
  fulfilled: true,
  quantity_type: 'total',
  claimed_quantity: 1,
  claim_version: 2.0,
  players: [
    {
      role: 'complainant',
      type: 'buyer',
      user_id: 1325224382,
      available_actions: [],
    },
    {
      role: 'respondent',
      type: 'seller',
      user_id: 1330467461,
      available_actions: [],
    },
  ],
  resolution: {
    reason: 'payment_refunded',
    date_created: '2024-03-21T05:19:22.000-04:00',
    benefited: ['complainant'],
    closed_by: 'respondent',
    applied_coverage: false,
  },
  site_id: 'MLB',
  date_created: '2024-03-14T08:28:44.000-04:00',
  last_updated: '2024-03-21T05:19:22.000-04:00',
  related_entities: [],
}

contract(['2.2', 'orders'], 'a claim has the fields of the recorded one, of the same types', () => {
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shapeOf)
    if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
    return Object.entries(value).map(([key, item]) => [key, shapeOf(item)])
  }
  assert.deepEqual(shapeOf(claimView(closed({ reason_id: 'PDD9549' }))), shapeOf(recorded))
})

contract('2.2', 'a body of the operator knows only what a claim has', () => {
  const body = Compile(ClaimBody)
  for (const good of [{}, { order_id: 5 }, { reason_id: null }, { claimed_quantity: 1 }])
    assert.ok(body.Check(good), JSON.stringify(good))
  for (const bad of [
    { stage: 'stale' },
    { status: 'open' },
    { type: 'other' },
    { opened_by: 'platform' },
    { reason_id: 'pdd1' },
    { claimed_quantity: 0 },
    { fulfilled: null },
    { resolution: { ...resolution, benefited: [] } },
    { resolution: { ...resolution, closed_by: 'nobody' } },
    { related_entities: ['return', 'return'] },
    { players: [] },
  ])
    assert.ok(!body.Check(bad), JSON.stringify(bad))
})
