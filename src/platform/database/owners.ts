import type { CopyValue } from './copy.ts'
import type { BulkTx, Db, Tx } from './database.ts'
import { joined, nameOf, type Sql, sql, type Template } from './sql.ts'
import { untilVisible } from './visible.ts'

/** An id with whom it belongs to. More fields do no harm: only those of the table are written. */
export type Owned<Id, Owner> = { id: Id } & Owner

/** The value of a parameter in a statement that is made before there is any. */
const later = sql`${null}`

/**
 * A table that tells from an id alone whom it belongs to, and so in which shard the row of that id lies
 * (docs/decisions/0004-one-schema-for-one-server-and-many.md). It is spread by the id, which is its primary key: of
 * two who want to give the same id, one waits for the other. Every statement is made once and has a name.
 */
export class OwnerTable<Id extends number | string, Owner extends Record<keyof Owner, CopyValue>> {
  readonly idType: Id extends number ? 'bigint' : 'text'
  readonly #table: string
  /** The columns by the fields of their values, the id first. */
  readonly #columns: Readonly<Record<string, string>>
  readonly #find: Sql
  readonly #findMany: Sql
  readonly #insert: Sql
  readonly #claim: Sql
  readonly #claimLocked: Sql

  constructor(of: {
    table: string
    /** The column of the id. */
    id: string
    idType: Id extends number ? 'bigint' : 'text'
    /** The columns of the owner by their fields. */
    owner: Readonly<Record<keyof Owner & string, string>>
  }) {
    const [table, id] = [nameOf(of.table), nameOf(of.id)]
    this.idType = of.idType
    this.#table = of.table
    this.#columns = { id: of.id, ...of.owner }
    const fields = Object.entries<string>(of.owner)
    const owner = list(fields.map(([field, column]) => sql`${nameOf(column)} as ${nameOf(field)}`))
    const ids = of.idType === 'bigint' ? sql`${later}::bigint[]` : sql`${later}::text[]`
    this.#find = sql`select ${owner} from ${table} where ${id} = ${later}`
    this.#findMany = sql`select ${id} as id, ${owner} from ${table} where ${id} = any(${ids})`
    const columns = Object.values(this.#columns)
    const insert = sql`insert into ${table} (${list(columns.map(nameOf))})
      values (${list(columns.map(() => later))})`
    this.#insert = insert
    this.#claim = sql`${insert} on conflict (${id}) do nothing returning ${id}`
    // Writes what is there already, which locks the row. Not the id: a cluster never updates what a table is spread by.
    const [, first = of.id] = columns
    this.#claimLocked = sql`${insert} on conflict (${id})
      do update set ${nameOf(first)} = ${table}.${nameOf(first)} returning ${owner}`
  }

  /** The fields that tell whom an id belongs to. */
  get ownerFields(): readonly string[] {
    return Object.keys(this.#columns).filter((field) => field !== 'id')
  }

  /** Returns whom an id belongs to; undefined for an id that nobody has. */
  async find(db: Db, id: Id): Promise<Owner | undefined> {
    return db.row<Owner>({ ...this.#find, values: [id] })
  }

  /** Finds whom an id belongs to and reads the row of that id, as soon as it is visible; undefined for an id that
   * nobody has. */
  async findRow<Row>(
    db: Db,
    id: Id,
    read: (owner: Owner) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const owner = await this.find(db, id)
    return owner && untilVisible(() => read(owner))
  }

  /** Returns whom these ids belong to, by id. Ids that nobody has are left out. */
  async findMany(db: Db, ids: readonly Id[]): Promise<Map<Id, Owner>> {
    if (ids.length === 0) return new Map()
    const rows = await db.rows<Owned<Id, Owner>>({ ...this.#findMany, values: [ids] })
    return new Map(rows.map(({ id, ...owner }) => [id, owner as unknown as Owner]))
  }

  /** Gives an id that nobody can have yet: the transaction fails where somebody has it. */
  insert(tx: Tx, owned: Owned<Id, Owner>): void {
    tx.write({ ...this.#insert, values: this.#valuesOf(owned) })
  }

  /** Gives an id unless somebody has it; returns whether nobody had. */
  async claim(tx: Tx, owned: Owned<Id, Owner>): Promise<boolean> {
    const rows = await tx.rows({ ...this.#claim, values: this.#valuesOf(owned) })
    return rows.length > 0
  }

  /** Gives an id unless somebody has it; returns whom it belongs to then, and whether nobody had it. */
  async claimOrFind(tx: Tx, owned: Owned<Id, Owner>): Promise<{ owner: Owner; isNew: boolean }> {
    if (await this.claim(tx, owned)) return { owner: owned, isNew: true }
    return { owner: (await this.find(tx, owned.id)) ?? owned, isNew: false }
  }

  /** The same, and locks the id until the transaction ends, also one that somebody has. */
  async claimLocked(tx: Tx, owned: Owned<Id, Owner>): Promise<Owner> {
    const row = await tx.row<Owner>({ ...this.#claimLocked, values: this.#valuesOf(owned) })
    return row ?? owned
  }

  /** Gives many ids. All of them must be free. */
  async copyMany(tx: BulkTx, owned: readonly Owned<Id, Owner>[]): Promise<void> {
    if (owned.length === 0) return
    const into = { table: this.#table, columns: Object.values(this.#columns) }
    await tx.copy(
      into,
      owned.map((each) => this.#valuesOf(each)),
    )
  }

  #valuesOf(owned: Owned<Id, Owner>): CopyValue[] {
    const values = owned as unknown as Record<string, CopyValue>
    return Object.keys(this.#columns).map((field) => values[field] ?? null)
  }
}

function list(pieces: readonly Template[]): Template {
  return joined(pieces, ', ')
}
