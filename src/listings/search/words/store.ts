import type { SiteId } from '../../../kernel/sites.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { WordCount } from './dictionary.ts'

/** Lists the sites that have word notes to add up. */
export async function sitesWithNotes(db: Db): Promise<SiteId[]> {
  const rows = await db.rows<{ siteId: SiteId }>(sql`
    select distinct site_id as "siteId" from listing_word_notes`)
  return rows.map(({ siteId }) => siteId)
}

/** Opens the next generation of a site's word counts. Its row lock makes concurrent updates of the site wait, so that
 * generations are committed in order. */
export async function nextGeneration(tx: Tx, siteId: SiteId): Promise<number> {
  const row = await tx.row<{ generation: number }>(sql`
    insert into listing_folds (site_id, generation) values (${siteId}, 1)
    on conflict (site_id) do update set generation = listing_folds.generation + 1
    returning generation`)
  if (!row) throw new Error(`no generation of ${siteId}`)
  return row.generation
}

/** Deletes up to `limit` word notes of a site and returns them. */
export async function takeWordNotes(
  tx: Tx,
  siteId: SiteId,
  limit: number,
): Promise<{ words: string[]; n: number[] }[]> {
  return tx.rows(sql`
    delete from listing_word_notes where site_id = ${siteId} and id in
      (select id from listing_word_notes where site_id = ${siteId} limit ${limit})
    returning words, n`)
}

/** Adds to the counts of words and marks them with the generation of this fold. */
export async function addWordCounts(
  tx: Tx,
  input: { siteId: SiteId; generation: number; counts: readonly WordCount[] },
): Promise<void> {
  const { siteId, generation, counts } = input
  await tx.rows(sql`
    insert into listing_words (site_id, word, n, generation)
    select ${siteId}, w.word, w.n, ${generation}
    from unnest(${counts.map(({ word }) => word)}::text[],
      ${counts.map(({ n }) => n)}::bigint[]) as w (word, n)
    on conflict (site_id, word) do update set n = listing_words.n + excluded.n,
      generation = excluded.generation`)
}

/** Reads up to `most` words of a site in sorted order, after the given one. */
export async function readWords(
  db: Db,
  { siteId, after, most }: { siteId: SiteId; after: string; most: number },
): Promise<WordCount[]> {
  return db.rows(sql`
    select word, n from listing_words where site_id = ${siteId} and word > ${after}
    order by word limit ${most}`)
}

/** Returns the current generation of a site's word counts, 0 before the first. */
export async function readGeneration(db: Db, siteId: SiteId): Promise<number> {
  const row = await db.row<{ generation: number }>(sql`
    select generation from listing_folds where site_id = ${siteId}`)
  return row?.generation ?? 0
}

/** Reads the words that changed after one generation and up to another. */
export async function readChangedWords(
  db: Db,
  { siteId, after, upTo }: { siteId: SiteId; after: number; upTo: number },
): Promise<WordCount[]> {
  return db.rows(sql`
    select word, n from listing_words
    where site_id = ${siteId} and generation > ${after} and generation <= ${upTo}`)
}
