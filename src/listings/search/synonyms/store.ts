import type { SiteId } from '../../../kernel/sites.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { SynonymChange } from './change.ts'

/** Returns the version of a site's changes, or undefined when there never were any. */
export async function readSynonymsVersion(db: Db, siteId: SiteId): Promise<string | undefined> {
  const row = await db.row<{ version: string }>(sql`
    select version from listing_synonym_versions where site_id = ${siteId}`)
  return row?.version
}

/** Lists the changes of a site, the oldest first. */
export async function listSynonymChanges(db: Db, siteId: SiteId): Promise<SynonymChange[]> {
  return db.rows(sql`
    select id, site_id as "siteId", action, words, note, date_created as "dateCreated"
    from listing_synonyms where site_id = ${siteId} order by date_created, id`)
}

export async function countSynonymChanges(db: Db, siteId: SiteId): Promise<number> {
  const row = await db.row<{ n: number }>(sql`
    select count(*) as n from listing_synonyms where site_id = ${siteId}`)
  return row?.n ?? 0
}

/** Saves a change. An existing one gets the new words and note and is returned; for a new one, returns undefined. */
export async function saveSynonymChange(
  tx: Tx,
  change: SynonymChange,
): Promise<SynonymChange | undefined> {
  const { id, siteId, action, words, note, dateCreated } = change
  const [isNew] = await tx.rows(sql`
    insert into listing_synonyms (id, site_id, action, words, note, date_created)
    values (${id}, ${siteId}, ${action}, ${words}, ${note}, ${dateCreated})
    on conflict (id) do nothing returning id`)
  if (isNew) return undefined
  const [stored] = await tx.rows<{ dateCreated: Date }>(sql`
    update listing_synonyms set words = ${words}, note = ${note} where id = ${id}
    returning date_created as "dateCreated"`)
  return stored && { ...change, ...stored }
}

export async function findSynonymChange(db: Db, id: string): Promise<SynonymChange | undefined> {
  return db.row(sql`
    select id, site_id as "siteId", action, words, note, date_created as "dateCreated"
    from listing_synonyms where id = ${id}`)
}

/** Deletes a change. Returns whether it was there. */
export async function deleteSynonymChange(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`delete from listing_synonyms where id = ${id} returning id`)
  return rows.length > 0
}

/** Puts another version of a site in force. Its row lock makes concurrent changes of the site run one after the other. */
export async function saveSynonymsVersion(
  tx: Tx,
  { siteId, version }: { siteId: SiteId; version: string },
): Promise<void> {
  await tx.rows(sql`
    insert into listing_synonym_versions (site_id, version) values (${siteId}, ${version})
    on conflict (site_id) do update set version = excluded.version`)
}
