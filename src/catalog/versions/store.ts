import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { CategoryNumber } from '../import/numbers.ts'
import type { CatalogFile } from '../import/problems.ts'
import type { SerializedCatalog } from '../import/serialize.ts'

const [compress, expand] = [promisify(gzip), promisify(gunzip)]

/** The active version, and the one that was active before it. */
export interface ActiveVersion {
  version: number
  before: number | null
}

/** A version without its files. */
export interface CatalogVersion {
  version: number
  note: string | null
  /** The answer of its import as JSON text. */
  summary: string
  dateCreated: Date
  dateActivated: Date
}

/** The files of a version: lines of JSON, compressed with gzip. */
type CompressedFiles = Record<CatalogFile, Buffer>

const builtInVersion: ActiveVersion = { version: 0, before: null }

export async function readActiveVersion(db: Db): Promise<ActiveVersion> {
  const row = await db.row<ActiveVersion>(sql`
    select version, before from catalogue_in_force where id = 1`)
  return row ?? builtInVersion
}

/** Returns the active version, and locks it until the transaction ends. */
export async function lockActiveVersion(tx: Tx): Promise<ActiveVersion> {
  const row = await tx.row<ActiveVersion>(sql`
    insert into catalogue_in_force (id, version, before) values (1, 0, null)
    on conflict (id) do update set version = catalogue_in_force.version
    returning version, before`)
  return row ?? builtInVersion
}

/** Activates a version. It does not check that the version exists. */
export function saveActiveVersion(tx: Tx, { version, before }: ActiveVersion, at: Date): void {
  tx.write(sql`
    update catalogue_in_force set version = ${version}, before = ${before} where id = 1`)
  tx.write(sql`update catalogues set date_activated = ${at} where version = ${version}`)
}

/** Returns all versions, the newest first. */
export async function listVersions(db: Db): Promise<CatalogVersion[]> {
  return db.rows(sql`
    select version, note, summary, date_created as "dateCreated",
      date_activated as "dateActivated"
    from catalogues order by version desc`)
}

export async function versionExists(db: Db, version: number): Promise<boolean> {
  const row = await db.row(sql`select version from catalogues where version = ${version}`)
  return row !== undefined
}

/** Returns a fingerprint of the content of a version. Undefined for an unknown version. */
export async function readFingerprint(db: Db, version: number): Promise<string | undefined> {
  const row = await db.row<{ print: string }>(sql`
    select md5(categories || attributes || domains) as print from catalogues
    where version = ${version}`)
  return row?.print
}

/** Returns a file of a version. Undefined for an unknown version. */
export async function readFile(
  db: Db,
  { version, file }: { version: number; file: CatalogFile },
): Promise<Buffer | undefined> {
  const row = await db.row<Partial<CompressedFiles>>(
    file === 'categories'
      ? sql`select categories from catalogues where version = ${version}`
      : file === 'attributes'
        ? sql`select attributes from catalogues where version = ${version}`
        : sql`select domains from catalogues where version = ${version}`,
  )
  return row?.[file]
}

/** Returns the lines of a version and its date. Undefined for an unknown version. */
export async function readVersion(
  db: Db,
  version: number,
): Promise<{ lines: SerializedCatalog['lines']; dateCreated: Date } | undefined> {
  const row = await db.row<CompressedFiles & { dateCreated: Date }>(sql`
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

/** Inserts a version and returns its number, the next one. The caller must hold the lock of `lockActiveVersion`. */
export async function addVersion(
  tx: Tx,
  {
    lines,
    note,
    summary,
    at,
  }: {
    lines: SerializedCatalog['lines']
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

/** Returns all numbers that imports assigned to categories. */
export async function listNumbers(db: Db): Promise<CategoryNumber[]> {
  return db.rows(sql`
    select key, number, date_created as "dateCreated" from category_numbers order by number`)
}

export async function addNumbers(tx: Tx, categories: readonly CategoryNumber[]): Promise<void> {
  if (categories.length === 0) return
  const keys = categories.map(({ key }) => key)
  const numbers = categories.map(({ number }) => number)
  const dates = categories.map(({ dateCreated }) => dateCreated.toISOString())
  await tx.rows(sql`
    insert into category_numbers (key, number, date_created)
    select * from unnest(${keys}::text[], ${numbers}::int[], ${dates}::timestamptz[])`)
}
