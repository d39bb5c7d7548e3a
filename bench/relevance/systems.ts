import MiniSearch, { type SearchOptions } from 'minisearch'
import type pg from 'pg'
import { sites } from '../../src/kernel/sites.ts'
import { foldText } from '../../src/predictor/title/tokenize.ts'
import type { ShopperQuery } from './judgments.ts'
import { ndcgDepth } from './scores.ts'
import { type ShopName, type ShopTitle, shops } from './shops.ts'

/** Returns the hashes of the best ten titles for a query, the best first. */
export type TitleSearch = (query: Pick<ShopperQuery, 'shop' | 'text'>) => Promise<string[]>

/** The listing search of Feria, over HTTP. */
export function openFeria(address: string, titles: readonly ShopTitle[]): TitleSearch {
  const hashes = new Map(titles.map(({ itemId, hash }) => [itemId, hash]))
  return async ({ shop, text }) => {
    const params = new URLSearchParams({ q: text, limit: String(ndcgDepth) })
    const answer = await fetch(`${address}/sites/${shops[shop].siteId}/search?${params}`)
    if (answer.status !== 200) throw new Error(`search "${text}": ${answer.status}`)
    const { results } = (await answer.json()) as { results: { id: string }[] }
    return results.map(({ id }) => hashes.get(id) as string)
  }
}

/** Words that a developer leaves out so that they are not required of a title. "sin" and "sem" tell products apart. */
const functionWords = new Set(
  'a al com con da das de del do dos e el em en la las los na no nas nos o os para por que se um uma un una y'.split(
    ' ',
  ),
)

/** MiniSearch with all words or, if that finds nothing, any of them. The second search is with any word at once. */
export function openMiniSearch(
  titles: readonly ShopTitle[],
): Record<'allThenAny' | 'any', TitleSearch> {
  const indexes = new Map(
    (Object.keys(shops) as ShopName[]).map((shop) => {
      const index = new MiniSearch<ShopTitle>({
        idField: 'hash',
        fields: ['title'],
        processTerm: (term) => {
          const word = foldText(term)
          return functionWords.has(word) ? null : word
        },
        searchOptions: { fuzzy: 0.2, prefix: (_, at, terms) => at === terms.length - 1 },
      })
      index.addAll(titles.filter((title) => title.shop === shop))
      return [shop, index]
    }),
  )
  const search = (
    { shop, text }: Pick<ShopperQuery, 'shop' | 'text'>,
    combineWith: NonNullable<SearchOptions['combineWith']>,
  ): string[] => {
    const results = indexes.get(shop)?.search(text, { combineWith }) ?? []
    return results.slice(0, ndcgDepth).map(({ id }) => id as string)
  }
  return {
    allThenAny: async (query) => {
      const results = search(query, 'AND')
      return results.length > 0 ? results : search(query, 'OR')
    },
    any: async (query) => search(query, 'OR'),
  }
}

const configurations = { es: 'spanish', pt: 'portuguese' } as const
const configurationOf = (shop: ShopName) => configurations[sites[shops[shop].siteId].language]

/** Full text search of PostgreSQL with all words; if that finds nothing, with any; if that finds nothing, by trigrams.
 * `unaccent` comes before the stemmer, as the manual of PostgreSQL recommends. */
export async function openFullText(
  client: pg.Client,
  titles: readonly ShopTitle[],
): Promise<TitleSearch> {
  await client.query(`create extension if not exists unaccent`)
  for (const language of Object.values(configurations)) {
    await client.query(`create text search configuration shop_${language} (copy = ${language});
      alter text search configuration shop_${language}
        alter mapping for hword, hword_part, word with unaccent, ${language}_stem`)
  }
  await client.query(`create table shop_titles (shop text, position int, hash text, title text,
    words tsvector)`)
  await client.query(
    `insert into shop_titles
      select shop, position, hash, title, to_tsvector(configuration::regconfig, title)
      from rows from (unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]))
        with ordinality t (shop, hash, title, configuration, position)`,
    [
      titles.map(({ shop }) => shop),
      titles.map(({ hash }) => hash),
      titles.map(({ title }) => title),
      titles.map(({ shop }) => `shop_${configurationOf(shop)}`),
    ],
  )
  const { rows } = await client.query(`select from pg_available_extensions where name = 'pg_trgm'`)
  const hasTrigrams = rows.length > 0
  if (hasTrigrams) await client.query('create extension if not exists pg_trgm')
  else process.stdout.write('PostgreSQL without pg_trgm: its search ends with any of the words.\n')
  const wordQuery = 'websearch_to_tsquery($3::regconfig, $2)'
  const byWords = (tsquery: string) => `select hash from shop_titles, ${tsquery} query
    where shop = $1 and words @@ query
    order by ts_rank(words, query) desc, position limit ${ndcgDepth}`
  const byTrigrams = `select hash from shop_titles, lower(unaccent($2)) query,
      lower(unaccent(title)) folded
    where shop = $1 and query <% folded
    order by word_similarity(query, folded) desc, position limit ${ndcgDepth}`
  return async ({ shop, text }) => {
    const configuration = `shop_${configurationOf(shop)}`
    for (const [statement, values] of [
      [byWords(wordQuery), [shop, text, configuration]],
      [
        byWords(`cast(replace(${wordQuery}::text, '&', '|') as tsquery)`),
        [shop, text, configuration],
      ],
      ...(hasTrigrams ? ([[byTrigrams, [shop, text]]] as const) : []),
    ] as const) {
      const { rows } = await client.query<{ hash: string }>(statement, [...values])
      if (rows.length > 0) return rows.map(({ hash }) => hash)
    }
    return []
  }
}
