import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import {
  assertDraftProblems,
  brandAttribute,
  catalogWith,
  clothingItem,
  draftListing,
  draftProblems,
  sizeVariation,
  validItem,
} from '../../../test/harness/listing-draft.ts'
import { listingDefaults } from '../listing.ts'

contract('2.13', 'the least that a seller says makes a whole listing', () => {
  assert.deepEqual(draftListing(validItem), {
    id: 'MLA9',
    sellerId: 7,
    siteId: 'MLA',
    title: 'Cosa',
    subtitle: null,
    categoryId: 'MLA2',
    vertical: 'core',
    currencyId: 'ARS',
    price: '10.5',
    status: 'active',
    condition: 'not_specified',
    listingTypeId: 'gold_special',
    warranty: null,
    sellerCustomField: null,
    sellerSku: null,
    manufacturingDays: null,
    permalink: null,
    pictures: [],
    sellerContact: null,
    coverageAreas: [],
    publication: listingDefaults.publication,
    attributes: [{ id: 'BRAND', name: 'Marca', value_id: 'PROPIA', value_name: 'Propia' }],
    shipping: { mode: 'not_specified', free_shipping: false, local_pick_up: false },
    stock: [{ variationId: 0, availableQuantity: 3, attributes: [], sellerSku: null }],
  })
})

contract(
  '2.13',
  'a field whose setting is required must be there; one that is not allowed must not',
  () => {
    const contact = { seller_contact: { phone: '4444-0000' } }
    const places = { coverage_areas: ['Palermo'] }
    const cases: [settings: object, more: object, wrong: string[]][] = [
      [{ price: 'required' }, { price: undefined }, ['price']],
      [{ price: 'required' }, { price: null }, ['price']],
      [{ price: 'optional' }, { price: undefined }, []],
      [{ price: 'not_allowed' }, {}, ['price']],
      [{ price: 'not_allowed' }, { price: null }, []],
      [{ stock: 'required' }, { available_quantity: undefined }, ['available_quantity']],
      [{ stock: 'required' }, { available_quantity: 0 }, []],
      [{ stock: 'optional' }, { available_quantity: undefined }, []],
      [{ stock: 'not_allowed' }, {}, ['available_quantity']],
      [{ stock: 'not_allowed' }, { available_quantity: 1 }, []],
      [{ stock: 'not_allowed' }, { available_quantity: undefined }, []],
      [{ seller_contact: 'required' }, {}, ['seller_contact']],
      [{ seller_contact: 'required' }, { seller_contact: null }, ['seller_contact']],
      [{ seller_contact: 'required' }, contact, []],
      [{ seller_contact: 'optional' }, contact, []],
      [{ seller_contact: 'not_allowed' }, contact, ['seller_contact']],
      [{ seller_contact: 'optional' }, { seller_contact: {} }, ['seller_contact.phone']],
      [{ coverage_areas: 'required' }, {}, ['coverage_areas']],
      [{ coverage_areas: 'required' }, { coverage_areas: [] }, ['coverage_areas']],
      [{ coverage_areas: 'required' }, places, []],
      [{ coverage_areas: 'not_allowed' }, places, ['coverage_areas']],
    ]
    for (const [settings, more, fields] of cases) {
      const problems = draftProblems({ ...validItem, ...more }, { catalog: catalogWith(settings) })
      const named = problems.map((problem) => problem.split(' ')[1]?.replace(':', ''))
      assert.deepEqual(named, fields, JSON.stringify([settings, more, problems]))
    }
  },
)

contract('2.13', 'what there is one of where nothing is counted, is one', () => {
  const { stock } = draftListing(
    { ...validItem, available_quantity: undefined },
    { catalog: catalogWith({ stock: 'not_allowed' }) },
  )
  assert.deepEqual(
    stock.map(({ availableQuantity }) => availableQuantity),
    [1],
  )
})

contract(['2.13', '8'], 'every limit in the settings of a category is held, to the last', () => {
  const pictures = (count: number) => ({
    pictures: Array.from({ length: count }, (_, n) => ({ source: `https://example.com/${n}` })),
  })
  const cases: [settings: object, good: object, bad: object, wrong: string][] = [
    [
      { max_title_length: 5 },
      { title: ' Añeja ' },
      { title: 'Añejas' },
      'item.title.length title: expected at most 5 characters in this category',
    ],
    [
      { max_sub_title_length: 3 },
      { subtitle: '🧉🧉🧉' },
      { subtitle: 'cuatro' },
      'item.subtitle.length subtitle: expected at most 3 characters in this category',
    ],
    [
      { max_pictures_per_item: 2 },
      pictures(2),
      pictures(3),
      'item.pictures.max pictures: expected at most 2',
    ],
    [
      { minimum_price: 10 },
      { price: 10 },
      { price: 9.99 },
      'item.price.invalid price: expected at least 10 in this category',
    ],
    [
      { maximum_price: 10 },
      { price: 10 },
      { price: 10.01 },
      'item.price.invalid price: expected at most 10 in this category',
    ],
    [
      { currencies: ['ARS', 'USD'] },
      { currency_id: 'USD' },
      { currency_id: 'BRL' },
      'item.currency_id.invalid currency_id: expected one of ARS, USD',
    ],
    [
      { currencies: ['ARS', 'USD'] },
      { currency_id: 'ARS' },
      {},
      'body.required_fields currency_id: expected one of ARS, USD, this field is required',
    ],
    [
      { buying_modes: ['buy_it_now'] },
      { buying_mode: 'buy_it_now' },
      { buying_mode: 'auction' },
      'item.buying_mode.invalid buying_mode: expected buy_it_now',
    ],
    [
      { item_conditions: ['new', 'used'] },
      { condition: 'used' },
      { condition: 'not_specified' },
      'item.condition.invalid condition: expected one of new, used',
    ],
    [
      { item_conditions: ['new', 'used'] },
      { condition: 'new' },
      {},
      'body.required_fields condition: expected one of new, used, this field is required',
    ],
    [
      { shipping_modes: ['custom', 'me2'] },
      { shipping: { free_shipping: true } },
      { shipping: { mode: 'me1' } },
      'item.shipping.mode.invalid shipping.mode: expected one of custom, me2',
    ],
    [
      { status: 'disabled' },
      { category_id: 'MLA3', variations: [sizeVariation('S')], available_quantity: undefined },
      {},
      'item.category_id.invalid category_id: expected a category in which listing is allowed',
    ],
    [
      { listing_allowed: false },
      { category_id: 'MLA3', variations: [sizeVariation('S')], available_quantity: undefined },
      {},
      'item.category_id.invalid category_id: expected a category in which listing is allowed',
    ],
  ]
  for (const [settings, right, bad, expected] of cases) {
    const catalog = catalogWith(settings)
    assertDraftProblems({ ...validItem, ...right }, [], { catalog })
    assertDraftProblems({ ...validItem, ...bad }, [expected], { catalog })
  }
})

contract('2.13', 'a category, a title, a price and a status are what they should be', () => {
  const category = (expected: string) => [
    `item.category_id.invalid category_id: expected ${expected}`,
  ]
  const cases: [more: object, wrong: string[]][] = [
    [{ category_id: 'MLA1' }, category('a leaf category: choose one below it, such as MLA2')],
    [{ category_id: 'MLA77' }, category('a category of the catalog')],
    [{ category_id: 'x' }, category('a category of the catalog')],
    [{ category_id: 'MLB2' }, category("a category of MLA, the seller's site")],
    [{ site_id: 'MLB' }, ['item.site_id.invalid site_id: expected MLA, the site of the seller']],
    [{ site_id: 'MLA' }, []],
    [{ title: ' ' }, ['item.title.invalid title: expected a text that is not blank']],
    [{ price: 0 }, ['item.price.invalid price: expected more than 0']],
    [{ price: 1.005 }, ['item.price.invalid price: expected at most 2 decimal places']],
    [{ status: 'paused' }, []],
    [
      { status: 'closed' },
      ['item.status.invalid status: expected active or paused: a new item can not be closed'],
    ],
  ]
  for (const [more, expected] of cases) {
    assertDraftProblems({ ...validItem, ...more }, expected)
  }
})

contract(
  ['2.13', '2.14', 'catalog'],
  'all that is wrong is told at once, each under its field',
  () => {
    assertDraftProblems(
      {
        category_id: 'MLA2',
        condition: 'broken',
        attributes: [{ id: 'WHEELS', value_name: 'x'.repeat(256) }],
      },
      [
        'body.required_fields title: expected a value, this field is required',
        'body.required_fields price: expected a value, this field is required',
        'item.condition.invalid condition: expected one of new, used, not_specified',
        'body.required_fields available_quantity: expected a value, this field is required',
        'item.attributes.invalid attributes[0].value_name: expected at most 255 characters',
        'item.attributes.missing_required attributes: expected BRAND (Marca), which every listing in MLA2 has',
      ],
    )
    assertDraftProblems({}, [
      'body.required_fields category_id: expected a value, this field is required',
      'body.required_fields title: expected a value, this field is required',
    ])
  },
)

contract('2.14', 'a required attribute is said of the item, or of each of its variations', () => {
  const size =
    'item.attributes.missing_required attributes: expected SIZE (x), which every listing in MLA3 has'
  const ofItem = { attributes: [brandAttribute, { id: 'SIZE', value_name: 'S' }] }
  const red = {
    attribute_combinations: [{ id: 'COLOR', value_name: 'Rojo' }],
    available_quantity: 1,
  }
  assertDraftProblems({ ...clothingItem, available_quantity: 1 }, [size])
  assertDraftProblems({ ...clothingItem, ...ofItem, available_quantity: 1 }, [])
  assertDraftProblems({ ...clothingItem, variations: [sizeVariation('S'), sizeVariation('M')] }, [])
  assertDraftProblems({ ...clothingItem, variations: [red] }, [size])
  assertDraftProblems({ ...clothingItem, ...ofItem, variations: [red] }, [])
  const emptied = { attributes: [{ id: 'BRAND', value_name: null }] }
  assert.match(
    draftProblems({ ...validItem, ...emptied })[0] ?? '',
    /^item.attributes.missing_required /,
  )
})

contract(
  ['2.14', 'catalog'],
  'variations can be told apart, and by what the category varies',
  () => {
    const at = (index: number, kind: string, expected: string) =>
      `item.variations.attribute_combinations.${kind} variations[${index}].attribute_combinations: expected ${expected}`
    const branded = sizeVariation('S', {
      attribute_combinations: [{ id: 'BRAND', value_name: 'Propia' }],
    })
    const colored = sizeVariation('S', {
      attribute_combinations: [
        { id: 'COLOR', value_name: 'Rojo' },
        { id: 'SIZE', value_name: 'S' },
      ],
    })
    const cases: [more: object, wrong: string[]][] = [
      [{ variations: [sizeVariation('S'), sizeVariation('s')] }, []],
      [
        { variations: [sizeVariation('S'), sizeVariation('S')] },
        [at(1, 'duplicated', 'other values than variations[0] has')],
      ],
      [
        { variations: [sizeVariation('S'), colored] },
        [at(1, 'invalid', 'the attributes that variations[0] has: SIZE')],
      ],
      [{ variations: [{ available_quantity: 1 }] }, [at(0, 'invalid', 'at least one attribute')]],
      [
        { variations: [branded] },
        [
          'item.variations.attribute_combinations.invalid variations[0].attribute_combinations[0].id: expected one of the attributes of MLA3 (COLOR, SIZE), BRAND is none',
        ],
      ],
      [
        { variations: [sizeVariation('S', { available_quantity: undefined })] },
        [
          'body.required_fields variations[0].available_quantity: expected a value, this field is required',
        ],
      ],
      [
        { variations: [sizeVariation('S', { price: 11 })], price: 10 },
        [
          'item.variations.price.invalid variations[0].price: expected 10, the one price of the item',
        ],
      ],
      [
        {
          variations: [sizeVariation('S', { price: 11 }), sizeVariation('M', { price: 11 })],
          price: undefined,
        },
        [],
      ],
      [{ variations: [sizeVariation('S'), sizeVariation('M')], available_quantity: 4 }, []],
      [
        { variations: [sizeVariation('S'), sizeVariation('M')], available_quantity: 3 },
        [
          'item.available_quantity.invalid available_quantity: expected none, or 4, which its variations come to',
        ],
      ],
      [
        {
          variations: [sizeVariation('S')],
          attributes: [brandAttribute, { id: 'SIZE', value_name: 'M' }],
        },
        [at(0, 'invalid', 'none that the item itself has, as it has SIZE')],
      ],
    ]
    for (const [more, expected] of cases) {
      const problems = draftProblems({ ...clothingItem, ...more })
      assert.deepEqual(
        problems.filter((problem) => !/missing_required/.test(problem)),
        expected,
        JSON.stringify(more),
      )
    }
    const { stock } = draftListing({
      ...clothingItem,
      variations: [sizeVariation('S', { id: 5 }), sizeVariation('M')],
    })
    assert.deepEqual(
      stock.map(({ variationId }) => variationId),
      [901, 902],
      'a new item has numbers of its own',
    )
  },
)
