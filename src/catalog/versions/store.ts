import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Given } from '../import/numbers.ts'
import type { CatalogFile } from '../import/problems.ts'
import type { Written } from '../import/translate.ts'

const [compress, expand] = [promisify(gzip), promisify(gunzip)]

/** Which version is served, and which was before it, if any. */
export interface InForce {
  version: number
  before: number | null
}

/** What is known of a version without reading it. */
export interface Version {
  version: number
  note: string | null
  /** JSON text of what its import answered. */
  summary: string
  dateCreated: Date
  dateActivated: Date
}

/** Its files as they were sent out and kept: lines of JSON, compressed. */
export type Files = Record<CatalogFile, Buffer>

const noneYet: InForce = { version: 0, before: null }

export async function readInForce(db: Db): Promise<InForce> {
  const row = await db.row<InForce>(sql`
    select version, before from catalogue_in_force where id = 1`)
  return row ?? noneYet
}

/** The same, and nobody else puts another one in force before this transaction ends. */
export async function lockInForce(tx: Tx): Promise<InForce> {
  const row = await tx.row<InForce>(sql`
    insert into catalogue_in_force (id, version, before) values (1, 0, null)
    on conflict (id) do update set version = catalogue_in_force.version
    returning version, before`)
  return row ?? noneYet
}

/** Puts a version in force. Throws nothing if there is none such: ask before. */
export function saveInForce(tx: Tx, { version, before }: InForce, at: Date): void {
  tx.write(sql`
    update catalogue_in_force set version = ${version}, before = ${before} where id = 1`)
  tx.write(sql`update catalogues set date_activated = ${at} where version = ${version}`)
}

/** All versions, the newest first. */
export async function listVersions(db: Db): Promise<Version[]> {
  return db.rows(sql`
    select version, note, summary, date_created as "dateCreated",
      date_activated as "dateActivated"
    from catalogues order by version desc`)
}

export async function isVersion(db: Db, version: number): Promise<boolean> {
  const row = await db.row(sql`select version from catalogues where version = ${version}`)
  return row !== undefined
}

/** What tells a version from another of the same number; undefined for none. */
export async function readPrint(db: Db, version: number): Promise<string | undefined> {
  const row = await db.row<{ print: string }>(sql`
    select md5(categories || attributes || domains) as print from catalogues
    where version = ${version}`)
  return row?.print
}

/** One of its files; undefined if there is no such version. */
export async function readFile(
  db: Db,
  { version, file }: { version: number; file: CatalogFile },
): Promise<Buffer | undefined> {
  const row = await db.row<Partial<Files>>(
    file === 'categories'
      ? sql`select categories from catalogues where version = ${version}`
      : file === 'attributes'
        ? sql`select attributes from catalogues where version = ${version}`
        : sql`select domains from catalogues where version = ${version}`,
  )
  return row?.[file]
}

/** The lines of a version, and when it was made. */
export async function readVersion(
  db: Db,
  version: number,
): Promise<{ lines: Written['lines']; dateCreated: Date } | undefined> {
  const row = await db.row<Files & { dateCreated: Date }>(sql`
    select categories, attributes, domains, date_created as "dateCreated"
    from catalogues where version = ${version}`)
  if (!row) return undefined
  const linesOf = async (file: CatalogFile) => {
    const text = (await expand(row[file])).toString('utf8')
    return text === '' ? [] : text.slice(0, -1).split('\n')
  }
  const [categories, attributes, domains] = await Promise.all([
    linesOf('categories'),
    linesOf('attributes'),
    linesOf('domains'),
  ])
  return { lines: { categories, attributes, domains }, dateCreated: row.dateCreated }
}

/** Adds a version behind all others; its number. Under the lock of `lockInForce`. */
export async function addVersion(
  tx: Tx,
  {
    lines,
    note,
    summary,
    at,
  }: {
    lines: Written['lines']
    note: string | null
    summary: object
    at: Date
  },
): Promise<number> {
  const pack = (file: CatalogFile) => compress(lines[file].map((line) => `${line}\n`).join(''))
  const [categories, attributes, domains] = await Promise.all([
    pack('categories'),
    pack('attributes'),
    pack('domains'),
  ])
  const last = await tx.row<{ version: number }>(sql`
    select coalesce(max(version), 0) as version from catalogues`)
  const version = (last?.version ?? 0) + 1
  await tx.rows(sql`
    insert into catalogues
      (version, note, categories, attributes, domains, summary, date_created, date_activated)
    values (${version}, ${note}, ${categories}, ${attributes}, ${domains},
      ${JSON.stringify(summary)}, ${at}, ${at})`)
  return version
}

/** All numbers that imports have given. */
export async function listNumbers(db: Db): Promise<Given[]> {
  return db.rows(sql`
    select key, number, date_created as "dateCreated" from category_numbers order by number`)
}

export async function addNumbers(tx: Tx, given: readonly Given[]): Promise<void> {
  if (given.length === 0) return
  const keys = given.map(({ key }) => key)
  const numbers = given.map(({ number }) => number)
  const dates = given.map(({ dateCreated }) => dateCreated.toISOString())
  await tx.rows(sql`
    insert into category_numbers (key, number, date_created)
    select * from unnest(${keys}::text[], ${numbers}::int[], ${dates}::timestamptz[])`)
}
