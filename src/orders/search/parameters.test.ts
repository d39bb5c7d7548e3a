import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import { Failure } from '../../kernel/failure.ts'
import { OrderSearchQuery, parseOrderSearch, scanKeyOf } from './parameters.ts'
import { encodeScrollId } from './sorts.ts'

const me = 11

function refusalOf(query: object): string {
  try {
    parseOrderSearch({ seller: me, ...query } as OrderSearchQuery, me)
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.equal(error.status, 400)
    return error.message
  }
  return 'none'
}

const listExpected = 'expected values separated by commas, none of them empty'
const scrollExpected = 'expected the one that the last page of the same search returned'
const keyOf = (sort: string) => scanKeyOf(parseOrderSearch({ seller: me, sort }, me))
const somewhere = { at: '2026-03-01T00:00:00.000Z', id: 5 }

const refusals: [query: object, words: string][] = [
  [{ tags: '' }, `tags: ${listExpected}`],
  [{ tags: 'a,,b' }, `tags: ${listExpected}`],
  [{ 'tags.not': ',' }, `tags.not: ${listExpected}`],
  [{ 'order.status': 'paid, ' }, `order.status: ${listExpected}`],
  [{ 'mediations.stage': '' }, `mediations.stage: ${listExpected}`],
  [{ 'feedback.sale.fulfilled': 'yes' }, 'feedback.sale.fulfilled: expected true or false'],
  [
    { 'feedback.purchase.fulfilled': 'constructor' },
    'feedback.purchase.fulfilled: expected true or false',
  ],
  [
    { sort: 'price_asc' },
    'sort: expected one of date_asc, date_desc, last_updated_asc, last_updated_desc, total_asc, total_desc',
  ],
  [
    { offset: 9_951 },
    'offset: expected at most 10000 together with limit; narrow the search by date, or use search_type=scan',
  ],
  [
    { search_type: 'scan', offset: 1 },
    'offset: expected 0 in a scan: send the scroll_id of the last page',
  ],
  [{ scroll_id: '' }, `scroll_id: ${scrollExpected}`],
  [{ scroll_id: 'e30' }, `scroll_id: ${scrollExpected}`],
  [{ scroll_id: 'bm9uc2Vuc2U' }, `scroll_id: ${scrollExpected}`],
  [{ scroll_id: encodeScrollId(keyOf('date_desc'), somewhere) }, `scroll_id: ${scrollExpected}`],
  [
    { scroll_id: encodeScrollId(keyOf('total_asc'), somewhere), sort: 'total_asc' },
    `scroll_id: ${scrollExpected}`,
  ],
  [
    { scroll_id: encodeScrollId(keyOf('date_asc'), { ...somewhere, id: 1.5 }) },
    `scroll_id: ${scrollExpected}`,
  ],
]
for (const [query, words] of refusals) {
  contract(['4.3', 'orders'], `${JSON.stringify(query)} is refused by its name`, () => {
    assert.equal(refusalOf(query), words)
  })
}

const without: object[] = [
  {},
  { sort: 'date_desc', limit: 5, offset: 5, display: 'complete', search_type: 'scan' },
  { q: ' ', item: '' },
]
for (const query of without) {
  contract(
    ['4.3', 'orders'],
    `${JSON.stringify(query)} is no filter, and without one nothing is searched`,
    () => {
      const { offset: _, ...rest } = query as { offset?: number }
      assert.throws(
        () => parseOrderSearch(rest as OrderSearchQuery, me),
        (error) => error instanceof Failure && error.code === 'search_without_filter',
      )
    },
  )
}

const parties: [seller: number | undefined, buyer: number | undefined, is: string][] = [
  [me, undefined, 'seller, of anybody'],
  [undefined, me, 'buyer, of anybody'],
  [undefined, undefined, 'seller, of anybody'],
  [me, 12, 'seller, of 12'],
  [12, me, 'buyer, of 12'],
  [me, me, 'seller, of 11'],
  [12, undefined, 'caller_id_invalid'],
  [undefined, 12, 'caller_id_invalid'],
  [12, 13, 'caller_id_invalid'],
]
for (const [seller, buyer, is] of parties) {
  contract(
    ['4.3', '5', '7.5'],
    `user 11 with seller ${seller} and buyer ${buyer} searches as ${is}`,
    () => {
      const query = { seller, buyer, tags: 'paid' } as OrderSearchQuery
      let searched: string
      try {
        const { viewpoint, counterpartId } = parseOrderSearch(query, me)
        searched = `${viewpoint}, of ${counterpartId ?? 'anybody'}`
      } catch (error) {
        searched = (error as Failure).code
      }
      assert.equal(searched, is)
    },
  )
}

contract(
  ['1', '4.3', '8'],
  'pages are of 50 from the first on, and what was asked is kept to the millisecond',
  () => {
    const search = parseOrderSearch(
      {
        seller: me,
        'order.date_created.from': '2026-03-01T10:00:00.123-03:00',
      } as OrderSearchQuery,
      me,
    )
    assert.equal(search.limit, 50)
    assert.equal(search.offset, 0)
    assert.equal(search.sort.id, 'date_asc')
    assert.equal(search.dates.get('created')?.from?.toISOString(), '2026-03-01T13:00:00.123Z')
    assert.equal(search.dates.get('created')?.to, null)
  },
)

contract(
  ['4.3', 'orders'],
  'ten thousand orders are reached by offset, the last of them too',
  () => {
    assert.equal(
      parseOrderSearch({ seller: me, offset: 9_950 } as OrderSearchQuery, me).offset,
      9_950,
    )
  },
)

contract('4.3', 'a scroll id carries its page on, with or without search_type', () => {
  for (const id of ['date_asc', 'last_updated_desc', 'total_desc']) {
    const mark = id.startsWith('total') ? { at: '10.50', id: 5 } : somewhere
    const scroll = encodeScrollId(keyOf(id), mark)
    assert.match(scroll, /^[\w-]+$/)
    const search = parseOrderSearch(
      { seller: me, sort: id, scroll_id: scroll } as OrderSearchQuery,
      me,
    )
    assert.deepEqual(search.after, mark)
    assert.equal(search.scans, true)
  }
})

contract(['4.3', 'orders'], 'a phrase may be an order, an item and words at once', () => {
  const phraseIn = (q: string) => parseOrderSearch({ seller: me, q } as OrderSearchQuery, me).q
  assert.deepEqual(phraseIn(' mla71 '), {
    words: ['mla71'],
    orderId: null,
    folded: 'mla71',
  })
  assert.deepEqual(phraseIn('Ñandú AZUL ñandú'), {
    words: ['azul', 'nandu'],
    orderId: null,
    folded: 'nandu azul nandu',
  })
  assert.equal(phraseIn('2000000000000001')?.orderId, 2_000_000_000_000_001)
  assert.deepEqual(phraseIn('%')?.words, [])
})

contract(
  '4.3',
  'the reference says that tags must all match, and that other lists match any',
  () => {
    const descriptionOf = (name: keyof OrderSearchQuery) =>
      JSON.parse(JSON.stringify(OrderSearchQuery.properties[name])).description
    assert.match(descriptionOf('tags'), /all of them must match/)
    assert.match(descriptionOf('tags.not'), /any of them is left out/)
    assert.match(descriptionOf('order.status'), /any of them matches/)
  },
)
