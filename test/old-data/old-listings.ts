import { tsvectorOf, wordsOfTokens } from '../../src/listings/search/index/tokens.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** How an earlier version indexed a listing, as far as it did otherwise. Tokens stand behind tier and site. */
export interface OldIndexing {
  token?(token: string): string[]
  body?(body: string): string
}

const prefixLength = '0LA'.length
const partOf = (token: string) => token.slice(prefixLength)
const isWord = (token: string) => !/^[:%$@=*]/.test(partOf(token))

/** What earlier versions may have done otherwise. */
export const oldIndexings: Readonly<Record<string, OldIndexing>> = {
  'another tokenizer': { token: (token) => (isWord(token) ? [`${token}s`] : [token]) },
  'a token less': { token: (token) => (partOf(token).startsWith('%') ? [] : [token]) },
  'a token more': { token: (token) => (isWord(token) ? [token, `${token}more`] : [token]) },
  'another body': { body: (body) => body.replace('"rating_average":0', '"rating_average":1') },
}

type Row = { item: number; siteId: 'MLA'; tokens: string[]; body: string }

const allRows = sql`
  select item, site_id as "siteId", tsvector_to_array(tokens) as tokens, body from listing_index
  order by item`

/** Indexes all listings as an earlier version would have, and counts their words so. */
export async function indexAsBefore(
  db: Database,
  { token: ofToken = (token) => [token], body: ofBody = (body) => body }: OldIndexing,
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { item, tokens, body } of await tx.rows<Row>(allRows)) {
      await tx.rows(sql`
        update listing_index set tokens = ${tsvectorOf(tokens.flatMap(ofToken))}, body = ${ofBody(body)},
          version = 0, form = 0
        where item = ${item}`)
    }
    await tx.rows(sql`update listing_walk set seller_id = 0, item_id = '', made = 0`)
    await tx.rows(sql`delete from listing_word_notes`)
    await tx.rows(sql`delete from listing_words`)
    for (const [word, n] of await recountWords(tx)) {
      await tx.rows(sql`
        insert into listing_words (site_id, word, n, generation) values ('MLA', ${word}, ${n}, 1)`)
    }
  })
}

/** In how many listings each word is, by the tokens of their rows. */
export async function recountWords(db: Pick<Database, 'rows'>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { siteId, tokens } of await db.rows<Row>(allRows)) {
    for (const word of wordsOfTokens(siteId, tokens)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
