import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import { type Vertical, verticals } from '../../kernel/verticals.ts'
import { type Listing, listingDefaults } from '../../listings/listing.ts'
import { buildOrder } from './checkout.ts'

const listing: Listing = {
  ...listingDefaults,
  id: 'MLA1',
  sellerId: 1,
  siteId: 'MLA',
  title: 'Pava',
  categoryId: 'MLA1580',
  currencyId: 'ARS',
  price: '100',
  status: 'active',
  condition: 'new',
  sellerSku: null,
  listingTypeId: 'gold_special',
  warranty: null,
  sellerCustomField: null,
  manufacturingDays: null,
  stock: [{ variationId: 0, availableQuantity: 5, attributes: [], sellerSku: null }],
}

contract(
  '6',
  'an order is classified when all that it sells is real estate, vehicles or services',
  () => {
    const sold = (...of: Vertical[]) => {
      const listed = of.map((vertical, index) => ({ ...listing, id: `MLA${index}`, vertical }))
      const lines = listed.map(({ id }) => ({ item_id: id, quantity: 1 }))
      const listings = new Map(listed.map((item) => [item.id, item]))
      const facts = { listings, now: new Date(0), orderId: 500, shipmentId: null }
      return buildOrder({ buyer_id: 2, currency_id: 'ARS', lines }, facts).isClassified
    }
    for (const vertical of verticals) assert.equal(sold(vertical), vertical !== 'core', vertical)
    assert.equal(sold('real_estate', 'services'), true)
    assert.equal(
      sold('motors', 'core'),
      false,
      'one line of another kind makes it an ordinary sale',
    )
  },
)
