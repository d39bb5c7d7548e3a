import assert from 'node:assert/strict'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { SourceCategory } from '../../src/catalog/source/source.ts'
import type { Vertical } from '../../src/catalog/verticals.ts'
import { type Breach, expectation, Failure } from '../../src/kernel/failure.ts'
import type { Listing, SoldListing } from '../../src/listings/listing.ts'
import type { ItemBody } from '../../src/listings/sell/bodies.ts'
import { drafted } from '../../src/listings/sell/draft.ts'

const names = { es: 'x', pt: 'x', en: 'x' }

/** A catalogue with a category MLA2 that has these settings, below MLA1; MLA3 is as usual and MLA4 is of
 * cars. */
export function catalogWith(settings: object = {}, vertical: Vertical = 'core'): Catalog {
  const category = (number: number, more: Partial<SourceCategory> = {}): SourceCategory => ({
    key: `c${number}`,
    number,
    parent: 'c1',
    names,
    vertical: 'core',
    kinds: [],
    aliases: [],
    domain: 'THINGS',
    settings: {},
    ...more,
  })
  const asked = (id: string, isRequired: boolean, hierarchy: 'ITEM' | 'CHILD_PK' = 'ITEM') => ({
    id,
    isRequired,
    isCatalogRequired: false,
    hierarchy,
  })
  const text = { names, valueType: 'string' as const, units: [], group: 'MAIN', values: [] }
  const domain = { names, brands: ['Propia'], models: [] }
  const attributes = [
    { ...text, id: 'BRAND', names: { ...names, es: 'Marca' } },
    { ...text, id: 'MODEL' },
    { ...text, id: 'COLOR' },
    { ...text, id: 'SIZE' },
    { ...text, id: 'DOORS', valueType: 'number' as const },
  ]
  const varying = [asked('COLOR', false, 'CHILD_PK'), asked('SIZE', true, 'CHILD_PK')]
  return new Catalog(
    {
      categories: [
        category(1, { parent: null, domain: null }),
        category(2, { settings: settings as Record<string, unknown>, vertical }),
        category(3, { domain: 'CLOTHES' }),
        category(4, { vertical: 'motors', domain: 'CARS' }),
      ],
      attributes,
      domains: [
        { ...domain, id: 'THINGS', attributes: [asked('BRAND', true), asked('MODEL', false)] },
        { ...domain, id: 'CLOTHES', attributes: [asked('BRAND', true), ...varying] },
        { ...domain, id: 'CARS', attributes: [asked('BRAND', true), asked('DOORS', false)] },
      ],
    },
    new Date(0),
  )
}

export const brand = { id: 'BRAND', value_name: 'propia' }
export const good: ItemBody = {
  title: 'Cosa',
  category_id: 'MLA2',
  price: 10.5,
  available_quantity: 3,
  attributes: [brand],
}
export const dressed = { ...good, category_id: 'MLA3', available_quantity: undefined }
export const sized = (size: string, more: object = {}) => ({
  attribute_combinations: [{ id: 'SIZE', value_name: size }],
  available_quantity: 2,
  ...more,
})

export function draft(body: object, { catalog = catalogWith(), before }: Around = {}): Listing {
  let pictures = 0
  // As it would arrive: what is undefined is not there.
  return drafted(JSON.parse(JSON.stringify(body)) as ItemBody, {
    catalog,
    id: 'MLA9',
    sellerId: 7,
    siteId: 'MLA',
    before,
    variationIds: [901, 902, 903],
    pictureId: () => `p${++pictures}`,
  })
}

interface Around {
  catalog?: Catalog
  before?: SoldListing
}

/** What is wrong, as `code field: expected what`. */
export function wrong(body: object, around: Around = {}): string[] {
  try {
    draft(body, around)
    return []
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.deepEqual([error.code, error.status], ['validation_error', 400])
    assert.equal(error.message, expectation(error.breaches[0] as Breach))
    return error.breaches.map((breach) => `${breach.code} ${expectation(breach)}`)
  }
}

/** The listing that was made of these words, having sold this many of each that it sells. */
export function listed(body: object = good, sold = 0, around: Around = {}): SoldListing {
  const listing = draft(body, around)
  return { ...listing, stock: listing.stock.map((each) => ({ ...each, soldQuantity: sold })) }
}

export const onlyThat = (body: object, expected: string[], around: Around = {}) =>
  assert.deepEqual(wrong(body, around), expected, JSON.stringify([body, expected]))
