import { isDeepStrictEqual } from 'node:util'
import type { Breach } from '../../kernel/failure.ts'
import { OwnIdTaken } from '../../platform/database/ids.ts'
import {
  noDetails,
  noVariation,
  type SoldStock,
  type Stock,
  type VariationAttribute,
  type VariationDetails,
} from '../listing.ts'
import { type AttributesInput, readAttributes, skuIn, varying, withSaid } from './attributes.ts'
import type { ItemBody, SaidVariation } from './bodies.ts'
import { invalid, missing, notAllowed, notModifiable } from './breach.ts'
import type { ItemPictures } from './pictures.ts'
import { trimmed } from './values.ts'

interface Facts {
  asked: AttributesInput
  /** As the listing stands; nothing of a new one. */
  before: readonly SoldStock[]
  /** Whether it comes to this category only now, so that all of it is looked at anew. */
  isMoved: boolean
  /** The setting `stock` of the category (contract 2.13). */
  presence: string
  sellerSku: string | null
  price: string | null
  pictures: ItemPictures
  mostPictures: number
  /** Numbers that new variations may have, one for each that is said at least. */
  variationIds: readonly number[]
}

type Said = Pick<ItemBody, 'available_quantity' | 'variations'>

/** The stock that a listing has when this is said of it: of the item itself, or of each of its variations.
 * Variations that are not said stay, unless others are: then they are gone. */
export function readStock(said: Said, facts: Facts): { stock: Stock[]; breaches: Breach[] } {
  const varied = facts.before.filter(({ variationId }) => variationId !== noVariation)
  const variations = said.variations ?? varied.map(({ variationId: id }): SaidVariation => ({ id }))
  const read = variations.length > 0 ? readVariations(variations, facts) : readPlain(said, facts)
  const breaches = [...read.breaches, ...goneThoughSold(read.stock, facts)]
  const total = totalOf(read.stock)
  const quantity = said.available_quantity ?? total
  // What the item came to before is what its reader sends back beside the variations.
  const wasTotal = facts.before.length > 0 ? totalOf(facts.before) : total
  if (variations.length > 0 && quantity !== total && quantity !== wasTotal) {
    const expected = `none, or ${total}, which its variations come to`
    breaches.push(invalid('available_quantity', expected))
  }
  return { stock: read.stock, breaches }
}

const totalOf = (stock: readonly Stock[]) =>
  stock.reduce((sum, { availableQuantity }) => sum + availableQuantity, 0)

function readPlain(
  { available_quantity: said }: Said,
  { before, presence, sellerSku, asked, isMoved }: Facts,
): { stock: Stock[]; breaches: Breach[] } {
  const known = before.find(({ variationId }) => variationId === noVariation)?.availableQuantity
  const availableQuantity = said ?? known
  const breaches: Breach[] = []
  if (availableQuantity === undefined && presence === 'required') {
    breaches.push(missing('available_quantity'))
  }
  const isNew = isMoved || said !== known
  if (presence === 'not_allowed' && isNew && (said ?? 1) !== 1) {
    const expected = `none, or 1: what is listed in ${asked.categoryId} is one of a kind`
    breaches.push(notAllowed('available_quantity', expected))
  }
  const stock = { variationId: noVariation, attributes: [], sellerSku }
  return { stock: [{ ...stock, availableQuantity: availableQuantity ?? 1 }], breaches }
}

function readVariations(
  said: readonly SaidVariation[],
  facts: Facts,
): { stock: Stock[]; breaches: Breach[] } {
  const { before, asked, presence } = facts
  const breaches: Breach[] = []
  const knows = (id: number | undefined) => before.some(({ variationId }) => variationId === id)
  if (presence === 'not_allowed' && (facts.isMoved || !said.every(({ id }) => knows(id)))) {
    breaches.push(notAllowed('variations', `none in ${asked.categoryId}`))
  }
  const free = freeIds(said, facts)
  const stock = said.map((each, index): Stock => {
    const place = `variations[${index}]`
    // A new item takes the numbers of another for its own: it gets others.
    const id = before.length === 0 ? undefined : each.id
    const known = before.find(({ variationId }) => variationId === id)
    if (id !== undefined && (!known || said.findIndex((one) => one.id === id) !== index)) {
      breaches.push(invalid(`${place}.id`, 'a variation of this item, each once'))
    }
    if (each.price !== undefined && each.price !== asNumber(facts.price)) {
      const expected = `${asNumber(facts.price)}, the one price of the item`
      breaches.push(invalid(`${place}.price`, expected))
    }
    const availableQuantity = each.available_quantity ?? known?.availableQuantity
    if (availableQuantity === undefined) {
      breaches.push(missing(`${place}.available_quantity`))
    }
    const combined = combinationOf(each, { known, place, facts })
    const detailed = detailsOf(each, { known, place, facts })
    breaches.push(...combined.breaches, ...detailed.breaches)
    const sku = each.seller_sku === undefined ? skuIn(each.attributes) : trimmed(each.seller_sku)
    return {
      variationId: known?.variationId ?? (free.shift() as number),
      availableQuantity: availableQuantity ?? 0,
      attributes: combined.attributes,
      sellerSku: sku === undefined ? (known?.sellerSku ?? null) : sku,
      ...(isDeepStrictEqual(detailed.details, noDetails) ? {} : { details: detailed.details }),
    }
  })
  if (breaches.length === 0) breaches.push(...notApart(stock, facts))
  return { stock, breaches }
}

const asNumber = (price: string | null) => (price === null ? null : Number(price))

/** Numbers for new variations. An operator may have given an item variations of any number: with one
 * of ours, others are drawn. */
function freeIds(said: readonly SaidVariation[], { before, variationIds }: Facts): number[] {
  const taken = new Set(before.map(({ variationId }) => variationId))
  const free = variationIds.filter((id) => !taken.has(id))
  if (free.length < said.filter(({ id }) => id === undefined || !taken.has(id)).length) {
    throw new OwnIdTaken()
  }
  return free
}

function combinationOf(
  { attribute_combinations: said }: SaidVariation,
  { known, place, facts }: { known: SoldStock | undefined; place: string; facts: Facts },
): { attributes: readonly VariationAttribute[]; breaches: Breach[] } {
  const field = `${place}.attribute_combinations`
  const had = known?.attributes ?? []
  if (said === undefined && !facts.isMoved) return { attributes: had, breaches: [] }
  const read = readAttributes(said ?? had, {
    field,
    asked: varying(facts.asked),
    known: facts.isMoved ? [] : had,
    takesOthers: false,
  })
  if (known && known.soldQuantity > 0 && combinationKey(read.attributes) !== combinationKey(had)) {
    const expected = 'those that it was sold with'
    read.breaches.push(notModifiable(field, expected))
  }
  return read
}

/** What is said of a variation beside its stock; what is not said stays. */
function detailsOf(
  said: SaidVariation,
  { known, place, facts }: { known: SoldStock | undefined; place: string; facts: Facts },
): { details: VariationDetails; breaches: Breach[] } {
  const { pictures, mostPictures, asked } = facts
  const had = known?.details ?? noDetails
  const breaches: Breach[] = []
  const read = readAttributes(said.attributes ?? [], {
    field: `${place}.attributes`,
    asked,
    known: had.attributes,
    takesOthers: true,
  })
  breaches.push(...read.breaches)
  const ids = (said.picture_ids ?? had.picture_ids).flatMap((id, index) => {
    const picture = pictures.idOf(id)
    if (picture === undefined && said.picture_ids) {
      const expected = 'the id or the address of a picture'
      const breach = invalid(`${place}.picture_ids`, expected)
      breaches.push({ ...breach, field: `${place}.picture_ids[${index}]` })
    }
    return picture ?? []
  })
  const picture_ids = [...new Set(ids)]
  if (said.picture_ids && picture_ids.length > mostPictures) {
    const code = 'item.variations.picture_ids.max'
    breaches.push({ code, field: `${place}.picture_ids`, expected: `at most ${mostPictures}` })
  }
  const text = (name: 'seller_custom_field' | 'catalog_product_id' | 'inventory_id') => {
    const value = trimmed(said[name])
    return value === undefined ? had[name] : value
  }
  const details = {
    picture_ids,
    attributes: withSaid(had.attributes, said.attributes ?? [], read.attributes),
    seller_custom_field: text('seller_custom_field'),
    catalog_product_id: text('catalog_product_id'),
    inventory_id: text('inventory_id'),
  }
  return { details, breaches }
}

/** Variations that a buyer could not tell apart: without an attribute, with other attributes than the
 * first has, with the values of one before. What an item had already is left as it was. */
function notApart(stock: readonly Stock[], { before, isMoved }: Facts): Breach[] {
  const wasSo = ({ variationId, attributes }: Stock) =>
    before.some(
      (one) => one.variationId === variationId && isDeepStrictEqual(one.attributes, attributes),
    )
  if (!isMoved && stock.every(wasSo)) return []
  const first = idsOf(stock[0]?.attributes ?? [])
  const firstWith = new Map<string, number>()
  return stock.flatMap(({ attributes }, index): Breach[] => {
    const field = `variations[${index}].attribute_combinations`
    if (attributes.length === 0) return [invalid(field, 'at least one attribute')]
    if (!isDeepStrictEqual(idsOf(attributes), first)) {
      return [invalid(field, `the attributes that variations[0] has: ${first.join(', ')}`)]
    }
    const combination = combinationKey(attributes)
    const twin = firstWith.get(combination)
    if (twin === undefined) {
      firstWith.set(combination, index)
      return []
    }
    const code = 'item.variations.attribute_combinations.duplicated'
    return [{ code, field, expected: `other values than variations[${twin}] has` }]
  })
}

const idsOf = (attributes: readonly VariationAttribute[]) => attributes.map(({ id }) => id).sort()

/** Equal for combinations of the same values, in whatever order. */
function combinationKey(attributes: readonly VariationAttribute[]): string {
  const values = attributes.map(({ id, value_id, value_name }) => `${id} ${value_id ?? value_name}`)
  return JSON.stringify(values.sort())
}

/** Orders name what was sold, and what was sold is counted: it stays with the item. */
function goneThoughSold(stock: readonly Stock[], { before }: Facts): Breach[] {
  return before
    .filter(({ soldQuantity }) => soldQuantity > 0)
    .filter(({ variationId }) => stock.every((one) => one.variationId !== variationId))
    .map(({ variationId }) =>
      notModifiable(
        'variations',
        variationId === noVariation
          ? 'none, as the item has sold without'
          : `${variationId} among them, which has sold: its available_quantity may be 0`,
      ),
    )
}
