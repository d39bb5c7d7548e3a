import { servedCatalogOf } from '../../catalog/open.ts'
import type { Predictor } from '../../catalog/predictor/predictor.ts'
import type { Category, SiteTree } from '../../catalog/tree/tree.ts'
import type { SiteId } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { countMuchAhead } from './counts/ahead.ts'
import { countsOf, jointOf, valuesOf } from './counts/counts.ts'
import type { Counts } from './counts/joint.ts'
import { together } from './counts/joint.ts'
import { isAny, type Meant, type ValueCount } from './counts/store.ts'
import { cutBands, type PriceRange } from './kinds.ts'
import { type Narrowed, narrowedBy, openRange, type Within } from './narrowed.ts'
import { type Finding, readPage } from './pages/page.ts'
import { type Card, readStock } from './pages/store.ts'
import type { Search } from './parameters.ts'
import { every, queryOf, tokens } from './tokens.ts'
import type { Dictionary } from './words/dictionary.ts'
import { dictionaryOf } from './words/open.ts'
import { type QueryInterpretation, readings } from './words/readings.ts'

/** What was found. */
export interface ListingSearchPage {
  counts: Counts
  /** The page. */
  cards: readonly Card[]
  stock: ReadonlyMap<string, { left: number; sold: number }>
  /** The one category in which everything lies, and what it has of attributes; else null. */
  within: { category: Category; values: readonly ValueCount[] } | null
}

type Tools = Pick<Context, 'db' | 'signals'>

const none: Counts = { total: 0, categories: new Map(), traits: new Map(), bands: new Map() }
const nothing: ListingSearchPage = { counts: none, cards: [], stock: new Map(), within: null }

/** The page of listings that a search asks for, and how many there are. */
export async function findListings(
  ctx: Tools,
  search: Search,
  within: Within,
): Promise<ListingSearchPage> {
  const { siteId, sellers } = within
  if (search.text !== '' && search.words.length === 0) return nothing
  if (sellers?.length === 0) return nothing
  const narrowed = narrowedBy(search, within)
  const { catalog } = servedCatalogOf(ctx)
  const tree = catalog.tree(siteId)
  const dictionary = await dictionaryOf(ctx, siteId)
  // Nobody waits for it; what fails is tried again by a later search.
  countMuchAhead(ctx, { tree, dictionary }).catch(() => {})
  const understood = await understand(ctx, search, { siteId, narrowed, dictionary })
  if (!understood) return nothing
  const { reading, counts } = understood
  const meaning = { ...reading, must: narrowed.must, not: [] }
  const { price } = narrowed
  const finding: Finding = {
    siteId,
    sought: meaning,
    price,
    counts,
    likeliest: likeliestOf(catalog.predictor(siteId), textOf(search, reading), counts),
  }
  const single = singleOf(tree, counts)
  const [page, values] = await Promise.all([
    readPage(ctx.db, finding, search).then(async (cards) => ({
      cards,
      stock: await readStock(ctx.db, cards),
    })),
    single
      ? valuesOf(ctx, { siteId, query: queryOf(siteId, every, meaning), price }, counts.total)
      : [],
  ])
  return { counts, ...page, within: single ? { category: single, values } : null }
}

/** The first reading of the words by which anything is found, with what. Nothing where none is; what
 * other filters left nothing of is not read otherwise for that. */
async function understand(
  ctx: Tools,
  { words }: Search,
  { siteId, narrowed, dictionary }: { siteId: SiteId; narrowed: Narrowed; dictionary: Dictionary },
): Promise<{ reading: QueryInterpretation; counts: Counts } | undefined> {
  const { must, price } = narrowed
  for (const reading of readings(words, dictionary)) {
    const counts =
      (await countedWithin(ctx, { siteId, reading, narrowed })) ??
      (await countsOf(ctx, {
        siteId,
        query: queryOf(siteId, every, { ...reading, must, not: [] }),
        price,
      }))
    if (counts.total > 0) return { reading, counts }
    if (must.length === 0) continue
    const alone = queryOf(siteId, every, { ...reading, must: [], not: [] })
    const anywhere = { siteId, query: alone, price: { from: null, to: null } }
    if (await isAny(ctx.db, anywhere)) return undefined
  }
  return undefined
}

/** The counts of what is narrowed by traits or by price, made of those that were counted ahead. Undefined
 * where there are none of those, or where both narrow. */
async function countedWithin(
  ctx: Tools,
  of: { siteId: SiteId; reading: QueryInterpretation; narrowed: Narrowed },
): Promise<Counts | undefined> {
  const { siteId, reading, narrowed } = of
  const { base, isTrait, range } = narrowed
  if ((isTrait === null) === (range === null)) return undefined
  const meantBy = (must: Narrowed['must'], price: PriceRange): Meant => ({
    siteId,
    query: queryOf(siteId, every, { ...reading, must, not: [] }),
    price,
  })
  const joint = jointOf(ctx, meantBy(base, openRange))
  if (!joint) return undefined
  if (isTrait) return joint.withTraits(isTrait)
  const { whole, cut } = cutBands(range ?? openRange)
  const inside = joint.withBands((band) => whole.has(band))
  if (cut.length === 0) return inside
  // Only what lies in the bands at the ends has to be looked at.
  const atEnds = meantBy([...base, cut.map(tokens.band)], narrowed.price)
  return together(inside, await countsOf(ctx, atEnds))
}

/** So many of its guesses the predictor is asked for. */
const mostGuesses = 5

/** The category that is most probably meant, by its digits: its listings come first. A query is a short
 * title, and so is guessed as one; of several guesses the listings that were found decide. */
function likeliestOf(
  predictor: Predictor,
  text: string,
  { total, categories }: Counts,
): number | null {
  let best: { digits: number; score: number } | null = null
  for (const { category, score } of predictor.predict(text, { most: mostGuesses })) {
    const digits = category.source.number
    const share = (categories.get(digits) ?? 0) / total
    const likely = score * Math.sqrt(share)
    if (likely > (best?.score ?? 0)) best = { digits, score: likely }
  }
  return best?.digits ?? null
}

/** The words as they were read. */
function textOf({ text, words }: Search, { groups }: QueryInterpretation): string {
  const isWritten = words.every(
    ({ stem }, at) => groups[at]?.length === 1 && groups[at][0] === stem,
  )
  return isWritten ? text : groups.map(([first = '']) => first).join(' ')
}

/** The one category in which all of this lies. */
function singleOf({ siteId, byId }: SiteTree, { categories }: Counts): Category | undefined {
  const [only] = categories.keys()
  return categories.size === 1 ? byId.get(`${siteId}${only}`) : undefined
}
