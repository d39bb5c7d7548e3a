import { type Static, Type } from 'typebox'
import { badField, Failure } from '../../kernel/failure.ts'
import { itemConditions } from '../../kernel/item-conditions.ts'
import { amount } from '../../kernel/money.ts'
import { Bounded, Id } from '../../kernel/schema.ts'
import type { WordLanguage } from '../../predictor/title/word-files.ts'
import type { PriceRange } from './index/facets.ts'
import { type ListingSort, listingSorts } from './store.ts'
import { type QueryWord, queryWords } from './words/words.ts'

const defaultLimit = 50
const maxLimit = 50
const maxOffset = 10_000
const maxTextLength = 250

/** Parameters of a search. Attribute ids are parameters too; any others are ignored. */
const parameters = {
  q: Type.Optional(Bounded(20_000, `Words to search for. At most ${maxTextLength} characters.`)),
  category: Type.Optional(Bounded(200, 'Id of a category. Categories below it are included.')),
  price: Type.Optional(
    Bounded(
      200,
      'Price range in the currency of the site, such as 100-250.5. Both ends are included; * leaves one open.',
    ),
  ),
  condition: Type.Optional(Bounded(200, `One of ${itemConditions.join(', ')}.`)),
  shipping: Type.Optional(Bounded(200, 'A value of shipping in available_filters.')),
  buying_mode: Type.Optional(Bounded(200, 'buy_it_now or classified.')),
  seller_id: Type.Optional(Id),
  nickname: Type.Optional(Bounded(200, 'Nickname of a seller. Case does not matter.')),
  sort: Type.Optional(Bounded(200, `One of ${listingSorts.join(', ')}. Default: relevance.`)),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, description: 'Results per page. Default: 50.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOffset })),
  explain: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true` explains the order of the results. Takes the operator’s token. Default: `false`',
    }),
  ),
}
export const ListingSearchQuery = Type.Object(parameters, { 'x-other-parameters': '^[A-Z]' })

export type ListingSearchQuery = Static<typeof ListingSearchQuery>

export interface ListingSearch {
  /** The text of `q`, trimmed; empty when there is none. */
  text: string
  words: readonly QueryWord[]
  categoryId: string | null
  price: PriceRange | null
  condition: string | null
  shipping: string | null
  buyingMode: string | null
  sellerId: number | null
  nickname: string | null
  /** Attributes and the ids of their values. */
  attributes: readonly AttributeFilter[]
  sort: ListingSort
  limit: number
  offset: number
}

export interface AttributeFilter {
  attributeId: string
  valueId: string
}

interface SearchParsing {
  /** Language of the site. */
  language: WordLanguage
  isAttribute: (id: string) => boolean
  ignore: (parameter: string) => void
}

/**
 * Returns the search of a query. `isAttribute` decides which further parameters are attributes; `ignore` gets the
 * names of the others. Throws `search_without_filter`, or a `bad_request` that names the first wrong parameter.
 */
export function parseListingSearch(query: ListingSearchQuery, open: SearchParsing): ListingSearch {
  const text = textOf(query.q)
  const search = {
    text,
    words: queryWords(text, open.language),
    categoryId: filterId(query, 'category'),
    price: query.price === undefined ? null : priceOf(query.price),
    condition: filterId(query, 'condition'),
    shipping: filterId(query, 'shipping'),
    buyingMode: filterId(query, 'buying_mode'),
    sellerId: query.seller_id ?? null,
    nickname: nicknameOf(query.nickname),
    attributes: attributesOf(query, open),
    sort: sortOf(query.sort),
    limit: query.limit ?? defaultLimit,
    offset: query.offset ?? 0,
  }
  const { categoryId, price, condition, shipping, buyingMode, sellerId, nickname } = search
  const { attributes } = search
  const filters = [categoryId, price, condition, shipping, buyingMode, sellerId, nickname]
  if (text === '' && attributes.length === 0 && filters.every((value) => value === null)) {
    throw new Failure('search_without_filter')
  }
  return search
}

function textOf(q: string | undefined): string {
  const text = q?.replace(/[\t\n\r]+/g, ' ').trim() ?? ''
  if (text.length > maxTextLength || /\p{Cc}/u.test(text)) {
    throw badField('q', `at most ${maxTextLength} characters, none of them a control character`)
  }
  return text
}

function filterId(
  query: ListingSearchQuery,
  name: 'category' | 'condition' | 'shipping' | 'buying_mode',
) {
  const value = query[name]?.trim()
  if (value === '') throw badField(name, 'an id, as available_filters tells')
  return value ?? null
}

function nicknameOf(text: string | undefined): string | null {
  const nickname = text?.trim()
  if (nickname === '') throw badField('nickname', 'the nickname of a seller')
  return nickname ?? null
}

const pricePattern = /^(\*|\d{1,13}(?:\.\d{1,2})?)-(\*|\d{1,13}(?:\.\d{1,2})?)$/

/** Parses a price range such as `100-250.5` into cents. `*` is an open side. Throws `bad_request`. */
function priceOf(text: string): PriceRange {
  const [, from, to] = pricePattern.exec(text.trim()) ?? []
  const bound = (side: string) => (side === '*' ? null : Number(amount(side).times(100)))
  const range = from !== undefined && to !== undefined && { from: bound(from), to: bound(to) }
  if (!range || (range.from !== null && range.to !== null && range.from > range.to)) {
    throw badField('price', 'from-to, such as 100-250.5, *-550.0 or 850.0-*')
  }
  return range
}

function sortOf(text: string | undefined): ListingSort {
  if (text === undefined) return 'relevance'
  const sort = listingSorts.find((candidate) => candidate === text)
  if (!sort) throw badField('sort', `one of ${listingSorts.join(', ')}`)
  return sort
}

const maxAttributes = 10

/** Returns the attribute filters of a query: its parameters in capitals that the catalog has as attributes. Others
 * in capitals are passed to `ignore`. Throws `bad_request` for too many, or for a value that is not one text. */
function attributesOf(
  query: Readonly<Record<string, unknown>>,
  { isAttribute, ignore }: SearchParsing,
): AttributeFilter[] {
  const parameters = Object.entries(query).filter(([name]) => /^[A-Z]/.test(name))
  const chosen = parameters.filter(([name]) => isAttribute(name))
  for (const [name] of parameters) if (!isAttribute(name)) ignore(name)
  if (chosen.length > maxAttributes) {
    throw badField(chosen[maxAttributes]?.[0] ?? '', `at most ${maxAttributes} attributes at once`)
  }
  return chosen.map(([attributeId, valueId]) => {
    if (typeof valueId !== 'string' || valueId.trim() === '') {
      throw badField(attributeId, 'the id of one value')
    }
    return { attributeId, valueId: valueId.trim() }
  })
}
