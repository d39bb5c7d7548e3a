import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalPlacesOf, fitsCurrency } from '../kernel/money.ts'
import { type Listing, listingDefaults } from '../listings/listing.ts'
import { applyListingChange, type ListingChange } from './listing-change.ts'

const listing: Listing = {
  ...listingDefaults,
  id: 'MLA1',
  sellerId: 1,
  siteId: 'MLA',
  title: 'Mate',
  categoryId: 'MLA1580',
  currencyId: 'ARS',
  price: '10.50',
  status: 'active',
  condition: 'new',
  listingTypeId: 'gold_special',
  warranty: null,
  sellerCustomField: null,
  sellerSku: null,
  manufacturingDays: null,
  stock: [],
}

const after = (change: ListingChange, more: Partial<Listing> = {}) => {
  const decision = applyListingChange({ ...listing, ...more }, change)
  return 'refusal' in decision ? decision.refusal : decision.listing
}

test('a change sets what it names and keeps the rest', () => {
  assert.deepEqual(after({}), listing)
  assert.deepEqual(after({ status: 'paused' }), { ...listing, status: 'paused' })
  const category = { id: 'MLA1443', siteId: 'MLA', vertical: 'motors' } as const
  const moved = { ...listing, categoryId: 'MLA1443', vertical: 'motors' }
  assert.deepEqual(after({ category }), moved)
  assert.deepEqual(after({ category: { ...category, vertical: undefined } }), {
    ...moved,
    vertical: 'core',
  })
})

test('an activated listing loses the reasons why it was not active; a removed one stays so', () => {
  const paused = { status: 'paused', subStatus: ['out_of_stock'] } as const
  assert.deepEqual(after({ status: 'active' }, paused), listing)
  assert.deepEqual(after({ status: 'closed' }, paused), {
    ...listing,
    ...paused,
    status: 'closed',
  })
  for (const subStatus of [['deleted'], ['expired', 'forbidden']] as const)
    assert.match(String(after({ status: 'active' }, { status: 'closed', subStatus })), /^status: /)
})

test('what does not fit is refused with its field', () => {
  const category = { id: 'MLB1', siteId: 'MLB', vertical: undefined } as const
  assert.match(String(after({ category })), /^category_id: .*MLA$/)
  assert.match(String(after({ pricePercent: 5 }, { price: null })), /^price: /)
  assert.match(String(after({ pricePercent: -99.9 }, { price: '0.01' })), /^price: .*more than 0/)
  assert.match(String(after({ pricePercent: 900 }, { price: '9999999999999' })), /^price: .*less/)
})

test('prices are computed exactly and rounded to the coins of the currency', () => {
  const cases: [price: string, currencyId: string, pricePercent: number, expected: string][] = [
    ['10.50', 'ARS', 10, '11.55'],
    ['0.10', 'ARS', 20, '0.12'],
    ['1.005', 'ARS', 0.5, '1.01'],
    ['999', 'CLP', -33.3, '666'],
    ['1999.99', 'BRL', -10, '1799.99'],
  ]
  for (const [price, currencyId, pricePercent, expected] of cases) {
    const changed = after({ pricePercent }, { price, currencyId })
    assert.equal(typeof changed === 'string' ? changed : changed.price, expected)
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e12 }),
      fc.constantFrom('ARS', 'CLP'),
      fc.integer({ min: -9_999, max: 100_000 }),
      (coins, currencyId, hundredths) => {
        const price = String(coins / 10 ** decimalPlacesOf(currencyId))
        const changed = after({ pricePercent: hundredths / 100 }, { price, currencyId })
        if (typeof changed === 'string') return
        assert.ok(fitsCurrency(Number(changed.price), currencyId))
        assert.ok(Number(changed.price) > 0)
      },
    ),
  )
})
