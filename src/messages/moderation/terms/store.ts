import type { SiteId } from '../../../kernel/sites.ts'
import type { ModerationTerm, RuleSwitch } from '../../../moderation/terms.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** Returns the version of the terms and switches in force, or undefined when none was ever saved. */
export async function readTermsVersion(db: Db): Promise<string | undefined> {
  const row = await db.row<{ version: string }>(sql`
    select version from moderation_version where id = 1`)
  return row?.version
}

export async function listTerms(db: Db): Promise<ModerationTerm[]> {
  return db.rows(sql`
    select id, kind, value, reason, site_id as "siteId", note, date_created as "dateCreated"
    from moderation_terms order by kind, value, id`)
}

export async function findTerm(db: Db, id: string): Promise<ModerationTerm | undefined> {
  return db.row(sql`
    select id, kind, value, reason, site_id as "siteId", note, date_created as "dateCreated"
    from moderation_terms where id = ${id}`)
}

/** Saves a term. An existing one gets the new reason and note and is returned; for a new one, returns undefined. */
export async function saveTerm(tx: Tx, term: ModerationTerm): Promise<ModerationTerm | undefined> {
  const { id, kind, value, reason, siteId, note, dateCreated } = term
  const [isNew] = await tx.rows(sql`
    insert into moderation_terms (id, kind, value, reason, site_id, note, date_created)
    values (${id}, ${kind}, ${value}, ${reason}, ${siteId}, ${note}, ${dateCreated})
    on conflict (id) do nothing returning id`)
  if (isNew) return undefined
  const [stored] = await tx.rows<{ dateCreated: Date }>(sql`
    update moderation_terms set reason = ${reason}, note = ${note} where id = ${id}
    returning date_created as "dateCreated"`)
  return stored && { ...term, ...stored }
}

export function deleteTerm(tx: Tx, id: string): void {
  tx.write(sql`delete from moderation_terms where id = ${id}`)
}

/** Puts another version in force. Its row lock makes concurrent changes run one after the other. */
export async function saveTermsVersion(tx: Tx, version: string): Promise<void> {
  await tx.rows(sql`
    insert into moderation_version (id, version) values (1, ${version})
    on conflict (id) do update set version = excluded.version`)
}

/** Stands for all sites in `moderation_rules`. */
const allSites = '*'

/** Lists the switched rules. */
export async function listRuleSwitches(db: Db): Promise<RuleSwitch[]> {
  const rows = await db.rows<Omit<RuleSwitch, 'siteId'> & { siteId: string }>(sql`
    select rule, site_id as "siteId", is_enabled as "isEnabled", note,
      last_updated as "lastUpdated"
    from moderation_rules order by rule, site_id`)
  return rows.map((row) => ({
    ...row,
    siteId: row.siteId === allSites ? null : (row.siteId as SiteId),
  }))
}

/** Saves the switch of a rule on a site, or on all sites. */
export async function saveRuleSwitch(tx: Tx, change: RuleSwitch): Promise<void> {
  const { rule, siteId, isEnabled, note, lastUpdated } = change
  await tx.rows(sql`
    insert into moderation_rules (rule, site_id, is_enabled, note, last_updated)
    values (${rule}, ${siteId ?? allSites}, ${isEnabled}, ${note}, ${lastUpdated})
    on conflict (rule, site_id) do update set is_enabled = excluded.is_enabled,
      note = excluded.note, last_updated = excluded.last_updated`)
}

/** Deletes the switch of a rule on a site, or on all sites, if there is one. */
export async function deleteRuleSwitch(
  tx: Tx,
  { rule, siteId }: Pick<RuleSwitch, 'rule' | 'siteId'>,
): Promise<void> {
  await tx.rows(sql`
    delete from moderation_rules where rule = ${rule} and site_id = ${siteId ?? allSites}`)
}
