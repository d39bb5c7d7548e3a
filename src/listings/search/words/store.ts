import type { SiteId } from '../../../kernel/sites.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { WordCount } from './dictionary.ts'

/** Sites with notes that nobody has folded. */
export async function sitesWithNotes(db: Db): Promise<SiteId[]> {
  const rows = await db.rows<{ siteId: SiteId }>(sql`
    select distinct site_id as "siteId" from listing_word_notes`)
  return rows.map(({ siteId }) => siteId)
}

/** Opens the next generation of a site's words. Its lock makes all who fold that site stand in line, so
 * that generations are committed in their order. */
export async function nextGeneration(tx: Tx, siteId: SiteId): Promise<number> {
  const row = await tx.row<{ generation: number }>(sql`
    insert into listing_folds (site_id, generation) values (${siteId}, 1)
    on conflict (site_id) do update set generation = listing_folds.generation + 1
    returning generation`)
  if (!row) throw new Error(`no generation of ${siteId}`)
  return row.generation
}

/** Takes some notes out, at most so many. */
export async function takeNotes(
  tx: Tx,
  siteId: SiteId,
  most: number,
): Promise<{ words: string[]; n: number[] }[]> {
  return tx.rows(sql`
    delete from listing_word_notes where site_id = ${siteId} and id in
      (select id from listing_word_notes where site_id = ${siteId} limit ${most})
    returning words, n`)
}

export async function addToWords(
  tx: Tx,
  added: { siteId: SiteId; generation: number; counts: readonly WordCount[] },
): Promise<void> {
  const { siteId, generation, counts } = added
  await tx.rows(sql`
    insert into listing_words (site_id, word, n, generation)
    select ${siteId}, w.word, w.n, ${generation}
    from unnest(${counts.map(({ word }) => word)}::text[],
      ${counts.map(({ n }) => n)}::bigint[]) as w (word, n)
    on conflict (site_id, word) do update set n = listing_words.n + excluded.n,
      generation = excluded.generation`)
}

/** The words of a site in their order, behind this one, at most so many. */
export async function readWords(
  db: Db,
  { siteId, after, most }: { siteId: SiteId; after: string; most: number },
): Promise<WordCount[]> {
  return db.rows(sql`
    select word, n from listing_words where site_id = ${siteId} and word > ${after}
    order by word limit ${most}`)
}

/** The generation that a site's words have reached. */
export async function readGeneration(db: Db, siteId: SiteId): Promise<number> {
  const row = await db.row<{ generation: number }>(sql`
    select generation from listing_folds where site_id = ${siteId}`)
  return row?.generation ?? 0
}

/** The words that changed behind one generation and up to another. */
export async function readChangedWords(
  db: Db,
  { siteId, after, upTo }: { siteId: SiteId; after: number; upTo: number },
): Promise<WordCount[]> {
  return db.rows(sql`
    select word, n from listing_words
    where site_id = ${siteId} and generation > ${after} and generation <= ${upTo}`)
}
