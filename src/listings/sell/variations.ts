import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../kernel/failure.ts'
import { GeneratedIdTaken } from '../../platform/database/ids.ts'
import {
  emptyVariationDetails,
  type ItemAttribute,
  noVariation,
  type Stock,
  type StockWithSales,
  type VariationDetails,
} from '../listing.ts'
import {
  type CategoryAttributes,
  mergeById,
  readAttributes,
  skuIn,
  variationAttributesOf,
} from './attributes.ts'
import type { ItemBody, VariationInput } from './bodies.ts'
import { invalid, missing, notAllowed, notModifiable } from './breach.ts'
import type { ItemPictures } from './pictures.ts'
import { trimmed } from './values.ts'

interface StockContext {
  categoryAttributes: CategoryAttributes
  /** The stored stock; empty for a new listing. */
  before: readonly StockWithSales[]
  /** Whether the category changes, so that everything is checked again. */
  isMoved: boolean
  /** The setting `stock` of the category. */
  presence: string
  sellerSku: string | null
  price: string | null
  pictures: ItemPictures
  maxPictures: number
  /** Ids for new variations, at least one for each variation of the body. */
  variationIds: readonly number[]
}

type StockBody = Pick<ItemBody, 'available_quantity' | 'variations'>

/** Returns the stock of the item itself or of its variations, with what is wrong with it. `variations` of the body
 * replaces all variations; without it they stay. */
export function readStock(
  body: StockBody,
  facts: StockContext,
): { stock: Stock[]; breaches: FieldError[] } {
  const storedVariations = facts.before.filter(({ variationId }) => variationId !== noVariation)
  const variations =
    body.variations ?? storedVariations.map(({ variationId: id }): VariationInput => ({ id }))
  const result =
    variations.length > 0 ? readVariations(variations, facts) : readSingleStock(body, facts)
  const breaches = [...result.breaches, ...findRemovedSoldVariations(result.stock, facts)]
  const total = totalOf(result.stock)
  const quantity = body.available_quantity ?? total
  // A client that read the item may send back its previous total together with the variations.
  const previousTotal = facts.before.length > 0 ? totalOf(facts.before) : total
  if (variations.length > 0 && quantity !== total && quantity !== previousTotal) {
    const expected = `none, or ${total}, which its variations come to`
    breaches.push(invalid('available_quantity', expected))
  }
  return { stock: result.stock, breaches }
}

const totalOf = (stock: readonly Stock[]) =>
  stock.reduce((sum, { availableQuantity }) => sum + availableQuantity, 0)

/** Returns the stock of an item without variations, and what is wrong with it. Without a quantity it keeps the
 * stored one, or has 1. */
function readSingleStock(
  { available_quantity: quantity }: StockBody,
  { before, presence, sellerSku, categoryAttributes, isMoved }: StockContext,
): { stock: Stock[]; breaches: FieldError[] } {
  const storedQuantity = before.find(
    ({ variationId }) => variationId === noVariation,
  )?.availableQuantity
  const availableQuantity = quantity ?? storedQuantity
  const breaches: FieldError[] = []
  if (availableQuantity === undefined && presence === 'required') {
    breaches.push(missing('available_quantity'))
  }
  const isNew = isMoved || quantity !== storedQuantity
  if (presence === 'not_allowed' && isNew && (quantity ?? 1) !== 1) {
    const expected = `none, or 1: what is listed in ${categoryAttributes.categoryId} is one of a kind`
    breaches.push(notAllowed('available_quantity', expected))
  }
  const stock = { variationId: noVariation, attributes: [], sellerSku }
  return { stock: [{ ...stock, availableQuantity: availableQuantity ?? 1 }], breaches }
}

/** Returns the stock of each variation of a body, and what is wrong with them. A variation without a known id gets
 * a new one. */
function readVariations(
  variations: readonly VariationInput[],
  facts: StockContext,
): { stock: Stock[]; breaches: FieldError[] } {
  const { before, categoryAttributes, presence } = facts
  const breaches: FieldError[] = []
  const isStored = (id: number | undefined) => before.some(({ variationId }) => variationId === id)
  if (
    presence === 'not_allowed' &&
    (facts.isMoved || !variations.every(({ id }) => isStored(id)))
  ) {
    breaches.push(notAllowed('variations', `none in ${categoryAttributes.categoryId}`))
  }
  const unusedIds = unusedVariationIds(variations, facts)
  const stock = variations.map((variation, index): Stock => {
    const path = `variations[${index}]`
    // Ids in the body of a new item are those of another item, so they are ignored.
    const id = before.length === 0 ? undefined : variation.id
    const stored = before.find(({ variationId }) => variationId === id)
    if (
      id !== undefined &&
      (!stored || variations.findIndex((other) => other.id === id) !== index)
    ) {
      breaches.push(invalid(`${path}.id`, 'a variation of this item, each once'))
    }
    if (variation.price !== undefined && variation.price !== asNumber(facts.price)) {
      const expected = `${asNumber(facts.price)}, the one price of the item`
      breaches.push(invalid(`${path}.price`, expected))
    }
    const availableQuantity = variation.available_quantity ?? stored?.availableQuantity
    if (availableQuantity === undefined) {
      breaches.push(missing(`${path}.available_quantity`))
    }
    const combination = combinationOf(variation, { stored, path, facts })
    const detailResult = detailsOf(variation, { stored, path, facts })
    breaches.push(...combination.breaches, ...detailResult.breaches)
    const sku =
      variation.seller_sku === undefined
        ? skuIn(variation.attributes)
        : trimmed(variation.seller_sku)
    return {
      variationId: stored?.variationId ?? (unusedIds.shift() as number),
      availableQuantity: availableQuantity ?? 0,
      attributes: combination.attributes,
      sellerSku: sku === undefined ? (stored?.sellerSku ?? null) : sku,
      ...(isDeepStrictEqual(detailResult.details, emptyVariationDetails)
        ? {}
        : { details: detailResult.details }),
    }
  })
  if (breaches.length === 0) breaches.push(...findIndistinctVariations(stock, facts))
  return { stock, breaches }
}

const asNumber = (price: string | null) => (price === null ? null : Number(price))

/** Returns the drawn ids that no stored variation has, for new variations. An operator may have chosen any ids for existing ones: when too few drawn ids are
 * unused, `GeneratedIdTaken` makes the caller draw others. */
function unusedVariationIds(
  variations: readonly VariationInput[],
  { before, variationIds }: StockContext,
): number[] {
  const storedIds = new Set(before.map(({ variationId }) => variationId))
  const unusedIds = variationIds.filter((id) => !storedIds.has(id))
  if (
    unusedIds.length < variations.filter(({ id }) => id === undefined || !storedIds.has(id)).length
  ) {
    throw new GeneratedIdTaken()
  }
  return unusedIds
}

/** Returns the attributes that make a variation, and what is wrong with them. A variation that was sold keeps its
 * attributes. */
function combinationOf(
  { attribute_combinations: combination }: VariationInput,
  {
    stored,
    path,
    facts,
  }: { stored: StockWithSales | undefined; path: string; facts: StockContext },
): { attributes: readonly ItemAttribute[]; breaches: FieldError[] } {
  const field = `${path}.attribute_combinations`
  const storedAttributes = stored?.attributes ?? []
  if (combination === undefined && !facts.isMoved)
    return { attributes: storedAttributes, breaches: [] }
  const result = readAttributes(combination ?? storedAttributes, {
    field,
    categoryAttributes: variationAttributesOf(facts.categoryAttributes),
    storedAttributes: facts.isMoved ? [] : storedAttributes,
    takesOthers: false,
  })
  if (
    stored &&
    stored.soldQuantity > 0 &&
    combinationKey(result.attributes) !== combinationKey(storedAttributes)
  ) {
    const expected = 'those that it was sold with'
    result.breaches.push(notModifiable(field, expected))
  }
  return result
}

/** Returns the further fields of a variation. Missing fields stay. */
function detailsOf(
  variation: VariationInput,
  {
    stored,
    path,
    facts,
  }: { stored: StockWithSales | undefined; path: string; facts: StockContext },
): { details: VariationDetails; breaches: FieldError[] } {
  const { pictures, maxPictures, categoryAttributes } = facts
  const storedDetails = stored?.details ?? emptyVariationDetails
  const breaches: FieldError[] = []
  const result = readAttributes(variation.attributes ?? [], {
    field: `${path}.attributes`,
    categoryAttributes,
    storedAttributes: storedDetails.attributes,
    takesOthers: true,
  })
  breaches.push(...result.breaches)
  const ids = (variation.picture_ids ?? storedDetails.picture_ids).flatMap((id, index) => {
    const picture = pictures.idOf(id)
    if (picture === undefined && variation.picture_ids) {
      const expected = 'the id or the address of a picture'
      const breach = invalid(`${path}.picture_ids`, expected)
      breaches.push({ ...breach, field: `${path}.picture_ids[${index}]` })
    }
    return picture ?? []
  })
  const picture_ids = [...new Set(ids)]
  if (variation.picture_ids && picture_ids.length > maxPictures) {
    const code = 'item.variations.picture_ids.max'
    breaches.push({ code, field: `${path}.picture_ids`, expected: `at most ${maxPictures}` })
  }
  const textField = (field: 'seller_custom_field' | 'catalog_product_id' | 'inventory_id') => {
    const value = trimmed(variation[field])
    return value === undefined ? storedDetails[field] : value
  }
  const details = {
    picture_ids,
    attributes: mergeById(storedDetails.attributes, variation.attributes ?? [], result.attributes),
    seller_custom_field: textField('seller_custom_field'),
    catalog_product_id: textField('catalog_product_id'),
    inventory_id: textField('inventory_id'),
  }
  return { details, breaches }
}

/** Finds variations that a buyer cannot tell apart: without attributes, with other attributes than the first one, or
 * with the values of an earlier one. Unchanged variations do not count. */
function findIndistinctVariations(
  stock: readonly Stock[],
  { before, isMoved }: StockContext,
): FieldError[] {
  const isUnchanged = ({ variationId, attributes }: Stock) =>
    before.some(
      (stored) =>
        stored.variationId === variationId && isDeepStrictEqual(stored.attributes, attributes),
    )
  if (!isMoved && stock.every(isUnchanged)) return []
  const firstIds = idsOf(stock[0]?.attributes ?? [])
  const indexByCombination = new Map<string, number>()
  return stock.flatMap(({ attributes }, index): FieldError[] => {
    const field = `variations[${index}].attribute_combinations`
    if (attributes.length === 0) return [invalid(field, 'at least one attribute')]
    if (!isDeepStrictEqual(idsOf(attributes), firstIds)) {
      return [invalid(field, `the attributes that variations[0] has: ${firstIds.join(', ')}`)]
    }
    const combination = combinationKey(attributes)
    const earlierIndex = indexByCombination.get(combination)
    if (earlierIndex === undefined) {
      indexByCombination.set(combination, index)
      return []
    }
    const code = 'item.variations.attribute_combinations.duplicated'
    return [{ code, field, expected: `other values than variations[${earlierIndex}] has` }]
  })
}

const idsOf = (attributes: readonly ItemAttribute[]) => attributes.map(({ id }) => id).sort()

/** Returns a key that is equal for the same values in any order. */
function combinationKey(attributes: readonly ItemAttribute[]): string {
  const values = attributes.map(({ id, value_id, value_name }) => `${id} ${value_id ?? value_name}`)
  return JSON.stringify(values.sort())
}

/** Finds removed variations that have sold. They must stay, because orders refer to them. */
function findRemovedSoldVariations(
  stock: readonly Stock[],
  { before }: StockContext,
): FieldError[] {
  return before
    .filter(({ soldQuantity }) => soldQuantity > 0)
    .filter(({ variationId }) => stock.every((remaining) => remaining.variationId !== variationId))
    .map(({ variationId }) =>
      notModifiable(
        'variations',
        variationId === noVariation
          ? 'none, as the item has sold without'
          : `${variationId} among them, which has sold: its available_quantity may be 0`,
      ),
    )
}
