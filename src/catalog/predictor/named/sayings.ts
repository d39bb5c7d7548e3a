import { type SiteId, siteIds, sites } from '../../../kernel/sites.ts'
import type { SourceCategory } from '../../source/source.ts'
import { atOnce, type Steps } from '../../tree/slices.ts'
import { Lexicon } from './lexical.ts'
import { type Saying, sortOut } from './sorted.ts'

/** What the categories that are listed in are called. The same for all sites of a catalogue: they only
 * trust it differently. */
export interface Called {
  leaves: readonly SourceCategory[]
  /** Of the leaves by their places. */
  lexicon: Lexicon
}

/** How far each way to call a category is trusted. */
const trust = {
  /** What people of the country say. */
  said: 1.15,
  /** What those of another country say in the same language, or another. */
  saidElsewhere: 0.7,
  named: 1,
  namedInAnother: 0.75,
}

/** Who says so, in bits: first its name in each language, then the sites where people do. */
const languages = ['es', 'pt', 'en'] as const
const namedIn = (language: (typeof languages)[number]) => 1 << languages.indexOf(language)
const saidOn = (siteId: SiteId) => 1 << (languages.length + siteIds.indexOf(siteId))
const anyName = languages.reduce((all, language) => all | namedIn(language), 0)

export function calledOf(categories: readonly SourceCategory[]): Called {
  return atOnce(growCalled(categories))
}

/** The same, step by step. */
export function* growCalled(categories: readonly SourceCategory[]): Steps<Called> {
  const parents = new Set(categories.map(({ parent }) => parent))
  const leaves = categories.filter(({ key }) => !parents.has(key))
  const sorted = yield* sortOut(sayingsOf(leaves, { categories, parents }))
  return { leaves, lexicon: new Lexicon([], sorted) }
}

/** So many sayings may come of what people call categories with others below them: whoever imports a
 * catalogue could else make billions of a few words. */
const mostFromAbove = 200_000

/** What people call a category leads to each of those right below it where nothing hangs lower: *depto* to
 * those for sale and to those for rent, where the other words of a title decide. */
function* sayingsOf(
  leaves: readonly SourceCategory[],
  {
    categories,
    parents,
  }: { categories: readonly SourceCategory[]; parents: ReadonlySet<string | null> },
): Generator<Saying> {
  const above = new Map(categories.map(({ key, aliases }) => [key, aliases]))
  for (const { key, parent } of categories) if (parents.has(key)) above.delete(parent ?? '')
  let left = mostFromAbove
  for (const [category, { names, kinds, aliases, parent }] of leaves.entries()) {
    for (const named of [names, ...kinds]) {
      for (const language of languages) {
        yield { category, text: named[language], by: namedIn(language) }
      }
    }
    const fromAbove = (above.get(parent ?? '') ?? []).slice(0, left)
    left -= fromAbove.length
    for (const { text, sites } of [...aliases, ...fromAbove]) {
      yield { category, text, by: sites.reduce((all, siteId) => all | saidOn(siteId), 0) }
    }
  }
}

/** Whether a saying counts on a site as what people say, or as what a category, or a kind of what is in
 * it, is called. */
export function kindOn(siteId: SiteId): (by: number) => 'name' | 'alias' {
  const here = saidOn(siteId)
  return (by) => (by & here || !(by & anyName) ? 'alias' : 'name')
}

/** How far a saying is trusted on a site: as far as the best of those who say so. */
export function trustOn(siteId: SiteId): (by: number) => number {
  const [own, here] = [namedIn(sites[siteId].language), saidOn(siteId)]
  return (by) => {
    if (by & here) return trust.said
    if (by & own) return trust.named
    return by & anyName ? trust.namedInAnother : trust.saidElsewhere
  }
}
