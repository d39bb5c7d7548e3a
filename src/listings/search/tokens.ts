import { createHash } from 'node:crypto'
import type { SiteId } from '../../kernel/sites.ts'

/**
 * The tokens of the index: whatever narrows a search is one, so that PostgreSQL intersects them all
 * before it touches a row. Each stands behind the site and the tier for which it is asked: those of the
 * best listings are there four times, so that a page of the best needs to look at the best only (pure).
 */

/** 0: the best 64th of its category, 1: the best 16th, 2: the best quarter, 3: all. */
export type Tier = 0 | 1 | 2 | 3
export const every: Tier = 3

/** The parts of a token behind site and tier; none begins like another. */
export const tokens = {
  /** Every listing has it. */
  any: '*',
  word: (stem: string) => stem,
  category: (digits: number) => `:${digits}`,
  trait: (id: string) => `%${id}`,
  band: (band: number) => `$${band}`,
  seller: (id: number) => `@${id}`,
  value: (value: string) => `=${value}`,
}

/** All tokens of a listing of this tier. */
export function tokensIn(siteId: SiteId, tier: Tier, parts: Iterable<string>): string[] {
  const all: string[] = []
  for (const part of parts) {
    for (let asked = tier; asked <= every; asked++) all.push(tokenOf(siteId, asked as Tier, part))
  }
  return all
}

const tokenOf = (siteId: SiteId, tier: Tier, part: string) => `${tier}${siteId.slice(1)}${part}`

/** The words among the tokens of a listing. */
export function wordsIn(siteId: SiteId, all: readonly string[]): string[] {
  const prefix = tokenOf(siteId, every, '')
  return all
    .filter((token) => token.startsWith(prefix) && !/^[:%$@=*]/.test(token.slice(prefix.length)))
    .map((token) => token.slice(prefix.length))
}

/** A `tsvector` as PostgreSQL reads it. */
export function vectorOf(all: readonly string[]): string {
  return all.map(quoted).join(' ')
}

const quoted = (token: string) => `'${token.replace(/[\\']/g, '\\$&')}'`

/** What is to be found: of each group one token, but of so many groups only. */
export interface Sought {
  groups: readonly (readonly string[])[]
  /** How many of the groups a listing has to have. */
  least: number
  /** Of each of these one as well. */
  must: readonly (readonly string[])[]
  not: readonly string[]
}

/** A `tsquery` as PostgreSQL reads it. */
export function queryOf(siteId: SiteId, tier: Tier, { groups, least, must, not }: Sought): string {
  const one = (parts: readonly string[]) =>
    `(${parts.map((part) => quoted(tokenOf(siteId, tier, part))).join('|')})`
  const all = (some: readonly (readonly string[])[]) => some.map(one).join('&')
  const texts = least === groups.length ? [groups] : [...chosen(groups, least)]
  const found = texts.filter((some) => some.length > 0).map(all)
  const isOpen = found.length === 0 && must.length === 0
  return [
    ...(found.length > 1 ? [`(${found.join('|')})`] : found),
    ...(isOpen ? [one([tokens.any])] : must.map(one)),
    ...not.map((part) => `!${quoted(tokenOf(siteId, tier, part))}`),
  ].join('&')
}

/** Every choice of so many, in their order. */
function* chosen<T>(from: readonly T[], many: number): Generator<T[]> {
  if (many === 0) yield []
  else {
    for (const [index, first] of from.entries()) {
      for (const rest of chosen(from.slice(index + 1), many - 1)) yield [first, ...rest]
    }
  }
}

/** The number of an attribute's value: 60 bits of a hash, so that no two of a site's meet. */
export function valueNumber(attributeId: string, valueId: string): string {
  const digest = createHash('sha1').update(`${attributeId}\0${valueId}`).digest()
  return (digest.readBigUInt64BE() >> 4n).toString()
}
