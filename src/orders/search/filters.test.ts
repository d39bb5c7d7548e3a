import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import type { Facets } from '../facets.ts'
import {
  type FilterId,
  matchesInAnyStatus,
  matchesStatus,
  type OrderFilters,
  type SearchParty,
  showsNickname,
} from './filters.ts'

const plain: Facets = {
  status: 'paid',
  tags: ['delivered', 'paid'],
  isClosed: true,
  sale: null,
  purchase: null,
  isFreed: false,
  mediations: [],
  shipping: { status: 'shipped', substatus: null, serviceId: 61 },
}

function filtersOf(query: Record<string, string>): OrderFilters {
  const { 'tags.not': tagsNot, closed, ...wanted } = query
  return {
    valuesByFilter: new Map(
      Object.entries(wanted).map(([id, text]) => [id as FilterId, text.split(',')] as const),
    ),
    tagsNot: tagsNot?.split(',') ?? [],
    closedOnly: closed !== undefined,
  }
}

const good = { rating: 'positive', fulfilled: true } as const
const bad = { rating: 'negative', fulfilled: false } as const
const claim = { stage: 'claim', status: 'opened', openedBy: 'buyer' } as const
const dispute = { stage: 'dispute', status: 'closed', openedBy: 'buyer' } as const
const byS = { stage: 'dispute', status: 'opened', openedBy: 'seller' } as const

type Row = [facets: Partial<Facets>, query: Record<string, string>, is: boolean, as?: SearchParty]

/** By the status alone. */
const shown: Row[] = [
  [{}, {}, true],
  [{}, { 'order.status': 'paid' }, true],
  [{}, { 'order.status': 'cancelled,paid' }, true],
  [{}, { 'order.status': 'foo' }, false],
  [{ status: 'cancelled' }, {}, false],
  [{ status: 'manually_cancelled' }, { tags: 'paid' }, false],
  [{ status: 'cancelled' }, { 'order.status': 'cancelled' }, true],
  [{ status: 'manually_cancelled' }, { 'order.status': 'cancelled' }, false],
  [{ status: 'cancelled' }, {}, true, 'buyer'],
  [{ status: 'manually_cancelled' }, {}, true, 'buyer'],
  [{ status: 'invalid' }, {}, true],
]

/** By everything but the status. */
const filterCases: Row[] = [
  [{}, {}, true],
  [{}, { tags: 'paid' }, true],
  [{}, { tags: 'paid,delivered' }, true],
  [{}, { tags: 'paid,shops' }, false],
  [{}, { 'tags.not': 'shops' }, true],
  [{}, { 'tags.not': 'shops,paid' }, false],
  [{}, { tags: 'paid', 'tags.not': 'delivered' }, false],
  [{ status: 'cancelled' }, { tags: 'paid' }, true],
  [{}, { 'order.status': 'cancelled' }, true],
  [{}, { closed: '' }, true],
  [{ isClosed: false }, { closed: '' }, false],
  [{}, { 'shipping.status': 'pending,shipped' }, true],
  [{}, { 'shipping.status': 'pending' }, false],
  [{}, { 'shipping.substatus': 'in_hub' }, false],
  [
    { shipping: { status: 'shipped', substatus: 'in_hub', serviceId: null } },
    { 'shipping.substatus': 'in_hub' },
    true,
  ],
  [{}, { 'shipping.service_id': '61,64' }, true],
  [{}, { 'shipping.service_id': '6' }, false],
  [
    { shipping: { status: 'shipped', substatus: null, serviceId: null } },
    { 'shipping.service_id': '61' },
    false,
  ],
  [{}, { 'feedback.status': 'pending' }, true],
  [{ purchase: good }, { 'feedback.status': 'pending' }, true],
  [{ sale: good }, { 'feedback.status': 'pending' }, false],
  [{ sale: good }, { 'feedback.status': 'waiting_buyer' }, true],
  [{ sale: good, purchase: bad }, { 'feedback.status': 'completed' }, true],
  [{ sale: good }, { 'feedback.status': 'pending' }, true, 'buyer'],
  [{ purchase: good }, { 'feedback.status': 'waiting_seller' }, true, 'buyer'],
  [{ purchase: good }, { 'feedback.status': 'waiting_buyer' }, false, 'buyer'],
  [{ sale: good }, { 'feedback.sale.rating': 'positive,neutral' }, true],
  [{ sale: good }, { 'feedback.sale.rating': 'negative' }, false],
  [{ sale: bad }, { 'feedback.sale.fulfilled': 'F' }, true],
  [{ sale: bad }, { 'feedback.sale.fulfilled': 'T' }, false],
  [{}, { 'feedback.sale.fulfilled': 'F' }, false],
  [{ mediations: [claim] }, { 'mediations.stage': 'claim,dispute' }, true],
  [{ mediations: [claim] }, { 'mediations.stage': 'dispute' }, false],
  [{}, { 'mediations.stage': 'claim' }, false],
  [{ mediations: [claim] }, { 'mediations.status': 'opened' }, true],
  [{ mediations: [claim] }, { 'mediations.status': 'claim_opened' }, true],
  [{ mediations: [claim] }, { 'mediations.status': 'claim_closed' }, false],
  [{ mediations: [dispute] }, { 'mediations.status': 'dispute_closed' }, true],
  [{ mediations: [dispute] }, { 'mediations.status': 'seller_dispute_closed' }, false],
  [{ mediations: [byS] }, { 'mediations.status': 'seller_dispute_opened' }, true],
  [{ mediations: [byS] }, { 'mediations.status': 'dispute_opened' }, false],
  [
    { mediations: [claim, dispute] },
    { 'mediations.stage': 'dispute', 'mediations.status': 'closed' },
    true,
  ],
  [
    { mediations: [claim, dispute] },
    { 'mediations.stage': 'dispute', 'mediations.status': 'opened' },
    false,
  ],
]
for (const [rows, half, fits] of [
  [shown, 'shown to', matchesStatus],
  [filterCases, 'found in any status by', matchesInAnyStatus],
] as const) {
  for (const [facets, query, is, viewpoint = 'seller'] of rows) {
    contract(
      '4.3',
      `${JSON.stringify(facets)} ${is ? 'is' : 'is not'} ${half} its ${viewpoint} under ${JSON.stringify(query)}`,
      () => {
        assert.equal(fits({ ...plain, ...facets }, filtersOf(query), viewpoint), is)
      },
    )
  }
}

contract(
  ['2.2', 'orders'],
  "the other party's rating finds nothing before it is freed; one's own always does",
  () => {
    const rated: Facets = { ...plain, sale: good, purchase: bad }
    const finds = (facets: Facets, viewpoint: SearchParty, id: string, value: string) =>
      matchesInAnyStatus(facets, filtersOf({ [id]: value }), viewpoint)
    for (const isFreed of [true, false]) {
      const facets = { ...rated, isFreed }
      assert.equal(finds(facets, 'seller', 'feedback.sale.rating', 'positive'), true)
      assert.equal(finds(facets, 'buyer', 'feedback.purchase.rating', 'negative'), true)
      assert.equal(finds(facets, 'seller', 'feedback.purchase.rating', 'negative'), isFreed)
      assert.equal(finds(facets, 'seller', 'feedback.purchase.fulfilled', 'F'), isFreed)
      assert.equal(finds(facets, 'buyer', 'feedback.sale.rating', 'positive'), isFreed)
      assert.equal(finds(facets, 'buyer', 'feedback.sale.fulfilled', 'T'), isFreed)
    }
  },
)

contract('3.1', 'nicknames are known of every order but those whose payment is required', () => {
  assert.equal(showsNickname(plain), true)
  assert.equal(showsNickname({ ...plain, status: 'confirmed' }), true)
  assert.equal(showsNickname({ ...plain, status: 'payment_required' }), false)
})
