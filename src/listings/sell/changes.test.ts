import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../test/harness/contract.ts'
import {
  assertDraftProblems,
  brandAttribute,
  clothingItem,
  draftListing,
  draftProblems,
  sizeVariation,
  soldListing,
  validItem,
} from '../../../test/harness/listing-draft.ts'
import type { Listing, ListingWithSales } from '../listing.ts'

contract('catalog', 'what is not said of an item stays; null empties what may be empty', () => {
  const whole = {
    ...validItem,
    subtitle: 'Con caja',
    warranty: '3 meses',
    seller_custom_field: 'A',
    seller_sku: 'SKU',
    manufacturing_days: 4,
    status: 'paused',
    condition: 'used',
    pictures: [{ source: 'https://example.com/a' }],
    attributes: [brandAttribute, { id: 'MODEL', value_name: 'Uno' }],
    shipping: { mode: 'me2', free_shipping: true },
  }
  const before = soldListing(whole)
  const { stock: _, ...same } = before
  const { stock, ...after } = draftListing({}, { previous: before })
  assert.deepEqual(after, same)
  assert.deepEqual(stock, [
    { variationId: 0, availableQuantity: 3, attributes: [], sellerSku: 'SKU' },
  ])
  const emptied = {
    subtitle: null,
    warranty: null,
    seller_custom_field: null,
    seller_sku: null,
    manufacturing_days: null,
  }
  const empty = draftListing(emptied, { previous: before })
  assert.deepEqual(
    [empty.subtitle, empty.warranty, empty.sellerCustomField, empty.sellerSku],
    [null, null, null, null],
  )
  assert.equal(empty.manufacturingDays, null)
  const cases: [body: object, of: keyof Listing, value: unknown][] = [
    [{ price: 10.5 }, 'price', '10.5'],
    [{ price: 12 }, 'price', '12'],
    [
      { shipping: { local_pick_up: true } },
      'shipping',
      { ...before.shipping, local_pick_up: true },
    ],
    [{ attributes: [{ id: 'MODEL', value_name: null }] }, 'attributes', [before.attributes[0]]],
    [
      { attributes: [{ id: 'MODEL', value_name: 'Dos' }] },
      'attributes',
      [before.attributes[0], { ...before.attributes[1], value_name: 'Dos' }],
    ],
    [{ attributes: [] }, 'attributes', before.attributes],
    [{ pictures: [{ source: 'https://example.com/a' }] }, 'pictures', before.pictures],
    [{ pictures: [{ id: 'p1' }] }, 'pictures', before.pictures],
    [{ pictures: [] }, 'pictures', []],
    [
      { pictures: [{ url: 'https://example.com/b' }, { id: 'p1', url: 'https://example.com/a' }] },
      'pictures',
      [{ id: 'p1', url: 'https://example.com/b' }, before.pictures[0]],
    ],
  ]
  for (const [body, field, value] of cases) {
    assert.deepEqual(draftListing(body, { previous: before })[field], value, JSON.stringify(body))
  }
  assertDraftProblems(
    { pictures: [{ id: 'p7' }] },
    ['body.required_fields pictures[0].source: expected an address, this field is required'],
    { previous: before },
  )
})

contract(
  'catalog',
  'a rule looks at what changes: an item that was registered otherwise can be priced and paused',
  () => {
    const before: ListingWithSales = {
      ...soldListing(),
      title: 'x'.repeat(150),
      condition: 'odd',
      attributes: [],
      currencyId: 'UYU',
    }
    for (const body of [
      { available_quantity: 9 },
      { status: 'paused' },
      { status: 'closed' },
      { warranty: 'Un año' },
      { attributes: [{ id: 'MODEL', value_name: 'Uno' }] },
      { title: before.title, condition: 'odd' },
    ] as const) {
      assertDraftProblems(body, [], { previous: before })
    }
    assert.match(
      draftProblems({ title: 'y'.repeat(61) }, { previous: before })[0] ?? '',
      /^item.title.length /,
    )
    assert.match(
      draftProblems({ condition: 'odder' }, { previous: before })[0] ?? '',
      /^item.condition.invalid /,
    )
    assert.match(
      draftProblems(
        { attributes: [{ id: 'BRAND', value_name: null }] },
        { previous: soldListing() },
      )[0] ?? '',
      /^item.attributes.missing_required /,
    )
  },
)

test('an item in a category that the catalogue does not have is changed all the same', () => {
  const before: ListingWithSales = { ...soldListing(), categoryId: 'MLA999' }
  assertDraftProblems({ price: 99, available_quantity: 1, status: 'paused', title: 'Otra' }, [], {
    previous: before,
  })
  assert.match(
    draftProblems({ shipping: { mode: 'pigeon' } }, { previous: before })[0] ?? '',
    /^item.shipping.mode/,
  )
  const other = { id: 'X', value_name: 'x' }
  assert.deepEqual(draftListing({ attributes: [other] }, { previous: before }).attributes, [
    ...before.attributes,
    { ...other, name: 'X', value_id: null },
  ])
})

contract(['2.13', '2.14'], 'in another category all of an item is looked at anew', () => {
  const before = soldListing({
    ...validItem,
    attributes: [brandAttribute, { id: 'MODEL', value_name: 'Uno' }],
  })
  assertDraftProblems(
    { category_id: 'MLA3' },
    [
      'item.attributes.missing_required attributes: expected SIZE (x), which every listing in MLA3 has',
    ],
    { previous: before },
  )
  const size = { attributes: [{ id: 'SIZE', value_name: 'S' }] }
  const moved = draftListing({ category_id: 'MLA3', ...size }, { previous: before })
  assert.deepEqual(
    moved.attributes.map(({ id }) => id),
    ['BRAND', 'SIZE'],
    'what only the category before asked for is left behind',
  )
  assertDraftProblems(
    { category_id: 'MLA4' },
    [
      'body.required_fields seller_contact: expected a value, this field is required',
      'item.condition.invalid condition: expected one of new, used',
    ].toReversed(),
    { previous: before },
  )
  const car = { category_id: 'MLA4', condition: 'used', seller_contact: { email: 'a@example.com' } }
  assert.equal(draftListing(car, { previous: before }).vertical, 'motors')
  assert.equal(
    draftListing({ ...validItem, ...car, currency_id: 'ARS', available_quantity: 1 }).vertical,
    'motors',
  )
})

contract(
  'catalog',
  'once something was sold, what buyers saw stays: title, condition, warranty, buying mode',
  () => {
    const before = soldListing({ ...validItem, warranty: '3 meses', condition: 'new' }, 1)
    const says = (field: string) =>
      `item.${field}.not_modifiable ${field}: expected what it was: the item has sold`
    assertDraftProblems({ title: 'Otra' }, [says('title')], { previous: before })
    assertDraftProblems({ condition: 'used' }, [says('condition')], { previous: before })
    assertDraftProblems({ warranty: null }, [says('warranty')], { previous: before })
    assertDraftProblems(
      { title: ' Cosa ', price: 99, available_quantity: 0, status: 'closed' },
      [],
      {
        previous: before,
      },
    )
    const contact = { seller_contact: { phone: '1' } }
    assertDraftProblems(
      { category_id: 'MLA4', ...contact },
      [
        'item.buying_mode.not_modifiable category_id: expected a category with the same buying mode: the item has sold',
      ],
      { previous: before },
    )
  },
)

contract('catalog', 'a variation that has sold stays, as it was sold; others come and go', () => {
  const varied = { ...clothingItem, variations: [sizeVariation('S'), sizeVariation('M')] }
  const ids = (body: object, before: ListingWithSales) =>
    draftListing(body, { previous: before }).stock.map((entry) => [
      entry.variationId,
      entry.availableQuantity,
    ])
  const fresh = soldListing(varied)
  assert.deepEqual(ids({}, fresh), [
    [901, 2],
    [902, 2],
  ])
  assert.deepEqual(ids({ variations: [{ id: 902, available_quantity: 7 }] }, fresh), [[902, 7]])
  assert.deepEqual(ids({ variations: [{ id: 902 }, sizeVariation('L')] }, fresh), [
    [902, 2],
    [903, 2],
  ])
  const size = { attributes: [{ id: 'SIZE', value_name: 'S' }] }
  assert.deepEqual(ids({ variations: [], available_quantity: 5, ...size }, fresh), [[0, 5]])
  const before = soldListing(varied, 1)
  assertDraftProblems(
    { variations: [{ id: 902 }] },
    [
      'item.variations.not_modifiable variations: expected 901 among them, which has sold: its available_quantity may be 0',
    ],
    { previous: before },
  )
  assertDraftProblems(
    { variations: [{ id: 901, ...sizeVariation('XS') }, { id: 902 }] },
    [
      'item.variations.attribute_combinations.not_modifiable variations[0].attribute_combinations: expected those that it was sold with',
    ],
    { previous: before },
  )
  assertDraftProblems(
    {
      variations: [
        { id: 901, ...sizeVariation('S') },
        { id: 902, available_quantity: 0 },
      ],
    },
    [],
    { previous: before },
  )
  const plain = soldListing(
    { ...clothingItem, attributes: [brandAttribute, ...size.attributes], available_quantity: 2 },
    1,
  )
  const [first] = draftProblems({ variations: [sizeVariation('S')] }, { previous: plain })
  assert.equal(
    first,
    'item.variations.not_modifiable variations: expected none, as the item has sold without',
  )
  const [unknown] = draftProblems(
    { variations: [{ id: 77, ...sizeVariation('Z') }] },
    { previous: fresh },
  )
  assert.equal(
    unknown,
    'item.variations.id.invalid variations[0].id: expected a variation of this item, each once',
  )
})
