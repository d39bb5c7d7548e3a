import { createHash } from 'node:crypto'
import type { SiteId } from '../../../kernel/sites.ts'

/**
 * Every filter of a search is a token of the index, so that PostgreSQL intersects them before it reads a row. A token
 * begins with the rank tier and the site. The best listings have their tokens in all four tiers, so that a page of the
 * best listings reads only those.
 */

/** Rank within its category. 0: the best 64th, 1: the best 16th, 2: the best quarter, 3: all. */
export type Tier = 0 | 1 | 2 | 3
export const lowestTier: Tier = 3

/** The part of a token after tier and site. Each kind of token begins with another character. */
export const tokens = {
  /** A token of every listing. */
  any: '*',
  word: (stem: string) => stem,
  category: (digits: number) => `:${digits}`,
  trait: (id: string) => `%${id}`,
  band: (bucket: number) => `$${bucket}`,
  seller: (id: number) => `@${id}`,
  value: (value: string) => `=${value}`,
}

/** Returns all tokens of a listing of this tier: those of its tier and of all lower ones. */
export function tokensOf(siteId: SiteId, tier: Tier, parts: Iterable<string>): string[] {
  const listingTokens: string[] = []
  for (const part of parts) {
    for (let level = tier; level <= lowestTier; level++) {
      listingTokens.push(tokenOf(siteId, level as Tier, part))
    }
  }
  return listingTokens
}

const tokenOf = (siteId: SiteId, tier: Tier, part: string) => `${tier}${siteId.slice(1)}${part}`

/** Returns the words among the tokens of a listing. */
export function wordsOfTokens(siteId: SiteId, listingTokens: readonly string[]): string[] {
  const prefix = tokenOf(siteId, lowestTier, '')
  return listingTokens
    .filter((token) => token.startsWith(prefix) && !/^[:%$@=*]/.test(token.slice(prefix.length)))
    .map((token) => token.slice(prefix.length))
}

/** Returns the text of a `tsvector`. */
export function tsvectorOf(listingTokens: readonly string[]): string {
  return listingTokens.map(quoted).join(' ')
}

const quoted = (token: string) => `'${token.replace(/[\\']/g, '\\$&')}'`

/** A token, or several that a listing must all have. */
type TokenSet = string | readonly string[]

/** A query of the index. A listing matches a group when it has one of its token sets. */
export interface IndexQuery {
  groups: readonly (readonly TokenSet[])[]
  /** Sets of groups by index. A listing matches all groups of one of them. Default: all groups. */
  subsets?: readonly (readonly number[])[] | undefined
  /** Further groups, all of which a listing matches. */
  must: readonly (readonly string[])[]
  not: readonly string[]
}

/** Returns the text of a `tsquery`. */
export function tsqueryOf(
  siteId: SiteId,
  tier: Tier,
  { groups, subsets, must, not }: IndexQuery,
): string {
  const term = (part: string) => quoted(tokenOf(siteId, tier, part))
  const setOf = (set: TokenSet) => {
    if (typeof set === 'string') return term(set)
    return set.length === 1 ? term(set[0] as string) : `(${set.map(term).join('&')})`
  }
  const anyOf = (sets: readonly TokenSet[]) => `(${sets.map(setOf).join('|')})`
  const all = groups.map((_, index) => index)
  const alternatives = (subsets ?? [all])
    .filter((subset) => subset.length > 0)
    .map((subset) => subset.map((index) => anyOf(groups[index] ?? [])).join('&'))
  const isOpen = alternatives.length === 0 && must.length === 0
  return [
    ...(alternatives.length > 1 ? [`(${alternatives.join('|')})`] : alternatives),
    ...(isOpen ? [anyOf([tokens.any])] : must.map(anyOf)),
    ...not.map((part) => `!${term(part)}`),
  ].join('&')
}

/** Returns the number of an attribute value: 60 bits of a hash, enough that values of a site do not collide. */
export function attributeValueHash(attributeId: string, valueId: string): string {
  const digest = createHash('sha1').update(`${attributeId}\0${valueId}`).digest()
  return (digest.readBigUInt64BE() >> 4n).toString()
}
