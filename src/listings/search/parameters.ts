import { type Static, Type } from 'typebox'
import { itemConditions } from '../../catalog/conditions.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { amount } from '../../kernel/money.ts'
import { Bounded, Id } from '../../kernel/schema.ts'
import type { PriceRange } from './kinds.ts'
import { type Sort, sorts } from './pages/store.ts'
import { type QueryWord, queryWords } from './words/words.ts'

const usualLimit = 50
const mostAtOnce = 50
const deepest = 10_000
const longestText = 250

/** What may be asked of listings (contract 4.4, wire 6). Beside these, attributes by their ids; anything
 * else is ignored. */
const parameters = {
  q: Type.Optional(Bounded(20_000, `at most ${longestText} characters`)),
  category: Type.Optional(Bounded(200)),
  price: Type.Optional(
    Bounded(200, 'from-to in the currency of the site, both included, * for open'),
  ),
  condition: Type.Optional(Bounded(200, `of ${itemConditions.join(', ')}`)),
  shipping: Type.Optional(Bounded(200, 'as available_filters tells')),
  buying_mode: Type.Optional(Bounded(200, 'buy_it_now or classified')),
  seller_id: Type.Optional(Id),
  nickname: Type.Optional(Bounded(200, 'of a seller, in whatever case')),
  sort: Type.Optional(Bounded(200, `of ${sorts.join(', ')}`)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostAtOnce })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: deepest })),
}
export const SearchQuery = Type.Object(parameters, { 'x-other-parameters': '^[A-Z]' })

export type SearchQuery = Static<typeof SearchQuery>

export interface Search {
  /** As it was written; empty where nothing was. */
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
  attributes: readonly FilterValue[]
  sort: Sort
  limit: number
  offset: number
}

export interface FilterValue {
  attributeId: string
  valueId: string
}

interface OpenParameters {
  isAttribute: (id: string) => boolean
  ignore: (parameter: string) => void
}

/** What is searched. `isAttribute` says which other parameters are, `ignore` gets the names of those that are
 * none. Throws a `bad_request` that names the first wrong one. */
export function searchOf(query: SearchQuery, open: OpenParameters): Search {
  const text = textOf(query.q)
  const search = {
    text,
    words: queryWords(text),
    categoryId: given(query, 'category'),
    price: query.price === undefined ? null : priceOf(query.price),
    condition: given(query, 'condition'),
    shipping: given(query, 'shipping'),
    buyingMode: given(query, 'buying_mode'),
    sellerId: query.seller_id ?? null,
    nickname: nicknameOf(query.nickname),
    attributes: attributesOf(query, open),
    sort: sortOf(query.sort),
    limit: query.limit ?? usualLimit,
    offset: query.offset ?? 0,
  }
  const { categoryId, price, condition, shipping, buyingMode, sellerId, nickname } = search
  const { attributes } = search
  const narrows = [categoryId, price, condition, shipping, buyingMode, sellerId, nickname]
  if (text === '' && attributes.length === 0 && narrows.every((each) => each === null)) {
    throw new Failure('search_without_filter')
  }
  return search
}

function textOf(q: string | undefined): string {
  const text = q?.trim() ?? ''
  if (text.length > longestText || /\p{Cc}/u.test(text)) {
    throw badField('q', `at most ${longestText} characters, none of them a control character`)
  }
  return text
}

function given(query: SearchQuery, name: 'category' | 'condition' | 'shipping' | 'buying_mode') {
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

function priceOf(text: string): PriceRange {
  const [, from, to] = pricePattern.exec(text.trim()) ?? []
  const bound = (side: string) => (side === '*' ? null : Number(amount(side).times(100)))
  const range = from !== undefined && to !== undefined && { from: bound(from), to: bound(to) }
  if (!range || (range.from !== null && range.to !== null && range.from > range.to)) {
    throw badField('price', 'from-to, such as 100-250.5, *-550.0 or 850.0-*')
  }
  return range
}

function sortOf(text: string | undefined): Sort {
  if (text === undefined) return 'relevance'
  const sort = sorts.find((each) => each === text)
  if (!sort) throw badField('sort', `one of ${sorts.join(', ')}`)
  return sort
}

const mostAttributes = 10

function attributesOf(
  query: Readonly<Record<string, unknown>>,
  { isAttribute, ignore }: OpenParameters,
): FilterValue[] {
  const named = Object.entries(query).filter(([name]) => /^[A-Z]/.test(name))
  const chosen = named.filter(([name]) => isAttribute(name))
  for (const [name] of named) if (!isAttribute(name)) ignore(name)
  if (chosen.length > mostAttributes) {
    throw badField(
      chosen[mostAttributes]?.[0] ?? '',
      `at most ${mostAttributes} attributes at once`,
    )
  }
  return chosen.map(([attributeId, valueId]) => {
    if (typeof valueId !== 'string' || valueId.trim() === '') {
      throw badField(attributeId, 'the id of one value')
    }
    return { attributeId, valueId: valueId.trim() }
  })
}
