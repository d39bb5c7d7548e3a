import assert from 'node:assert/strict'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { SourceCategory } from '../../src/catalog/source/source.ts'
import { expectation, Failure, type FieldError } from '../../src/kernel/failure.ts'
import type { Vertical } from '../../src/kernel/verticals.ts'
import type { Listing, ListingWithSales } from '../../src/listings/listing.ts'
import type { ItemBody } from '../../src/listings/sell/bodies.ts'
import { buildListing } from '../../src/listings/sell/draft.ts'

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
  const categoryAttribute = (
    id: string,
    isRequired: boolean,
    hierarchy: 'ITEM' | 'CHILD_PK' = 'ITEM',
  ) => ({
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
  const varying = [
    categoryAttribute('COLOR', false, 'CHILD_PK'),
    categoryAttribute('SIZE', true, 'CHILD_PK'),
  ]
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
        {
          ...domain,
          id: 'THINGS',
          attributes: [categoryAttribute('BRAND', true), categoryAttribute('MODEL', false)],
        },
        { ...domain, id: 'CLOTHES', attributes: [categoryAttribute('BRAND', true), ...varying] },
        {
          ...domain,
          id: 'CARS',
          attributes: [categoryAttribute('BRAND', true), categoryAttribute('DOORS', false)],
        },
      ],
    },
    new Date(0),
  )
}

export const brandAttribute = { id: 'BRAND', value_name: 'propia' }
export const validItem: ItemBody = {
  title: 'Cosa',
  category_id: 'MLA2',
  price: 10.5,
  available_quantity: 3,
  attributes: [brandAttribute],
}
export const clothingItem = { ...validItem, category_id: 'MLA3', available_quantity: undefined }
export const sizeVariation = (size: string, more: object = {}) => ({
  attribute_combinations: [{ id: 'SIZE', value_name: size }],
  available_quantity: 2,
  ...more,
})

export function draftListing(
  body: object,
  { catalog = catalogWith(), previous }: DraftOptions = {},
): Listing {
  let pictures = 0
  // As it would arrive: what is undefined is not there.
  return buildListing(JSON.parse(JSON.stringify(body)) as ItemBody, {
    catalog,
    id: 'MLA9',
    sellerId: 7,
    siteId: 'MLA',
    before: previous,
    variationIds: [901, 902, 903],
    pictureId: () => `p${++pictures}`,
  })
}

interface DraftOptions {
  catalog?: Catalog
  previous?: ListingWithSales
}

/** What is wrong, as `code field: expected what`. */
export function draftProblems(body: object, around: DraftOptions = {}): string[] {
  try {
    draftListing(body, around)
    return []
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.deepEqual([error.code, error.status], ['validation_error', 400])
    assert.equal(error.message, expectation(error.fieldErrors[0] as FieldError))
    return error.fieldErrors.map((breach) => `${breach.code} ${expectation(breach)}`)
  }
}

/** The listing that was made of these words, having sold this many of each that it sells. */
export function soldListing(
  body: object = validItem,
  sold = 0,
  around: DraftOptions = {},
): ListingWithSales {
  const listing = draftListing(body, around)
  return { ...listing, stock: listing.stock.map((each) => ({ ...each, soldQuantity: sold })) }
}

export const assertDraftProblems = (body: object, expected: string[], around: DraftOptions = {}) =>
  assert.deepEqual(draftProblems(body, around), expected, JSON.stringify([body, expected]))
