import type { CopyValue } from './copy.ts'
import type { BulkTx, Db, Tx } from './database.ts'
import { joined, nameOf, type Sql, sql, type Template } from './sql.ts'
import { untilVisible } from './visible.ts'

/** An id with its owner. Additional fields are ignored. */
export type OwnedId<Id, Owner> = { id: Id } & Owner

/** A placeholder parameter. Statements are built once, and their values are set for each call. */
const parameter = sql`${null}`

/**
 * A table from ids to their owners, which determine the shard of the row of an id
 * (docs/decisions/0004-one-schema-for-one-server-and-many.md). It is distributed by the id, its primary key, so
 * concurrent inserts of the same id wait for each other. Every statement is built once and has a name.
 */
export class OwnerTable<Id extends number | string, Owner extends Record<keyof Owner, CopyValue>> {
  readonly idType: Id extends number ? 'bigint' : 'text'
  readonly #table: string
  /** The columns by field, the id first. */
  readonly #columns: Readonly<Record<string, string>>
  readonly #find: Sql
  readonly #findMany: Sql
  readonly #insert: Sql
  readonly #claim: Sql
  readonly #claimLocked: Sql
  readonly #delete: Sql

  constructor(definition: {
    table: string
    /** The column of the id. */
    id: string
    idType: Id extends number ? 'bigint' : 'text'
    /** The columns of the owner by their fields. */
    owner: Readonly<Record<keyof Owner & string, string>>
  }) {
    const [table, id] = [nameOf(definition.table), nameOf(definition.id)]
    this.idType = definition.idType
    this.#table = definition.table
    this.#columns = { id: definition.id, ...definition.owner }
    const fields = Object.entries<string>(definition.owner)
    const owner = list(fields.map(([field, column]) => sql`${nameOf(column)} as ${nameOf(field)}`))
    const ids =
      definition.idType === 'bigint' ? sql`${parameter}::bigint[]` : sql`${parameter}::text[]`
    this.#find = sql`select ${owner} from ${table} where ${id} = ${parameter}`
    this.#findMany = sql`select ${id} as id, ${owner} from ${table} where ${id} = any(${ids})`
    const columns = Object.values(this.#columns)
    const insert = sql`insert into ${table} (${list(columns.map(nameOf))})
      values (${list(columns.map(() => parameter))})`
    this.#insert = insert
    this.#claim = sql`${insert} on conflict (${id}) do nothing returning ${id}`
    // The update of a column with its own value locks the row. A cluster refuses that for the id, the distribution
    // column.
    const [, first = definition.id] = columns
    this.#claimLocked = sql`${insert} on conflict (${id})
      do update set ${nameOf(first)} = ${table}.${nameOf(first)} returning ${owner}`
    this.#delete = sql`delete from ${table} where ${id} = ${parameter}`
  }

  /** The fields of the owner. */
  get ownerFields(): readonly string[] {
    return Object.keys(this.#columns).filter((field) => field !== 'id')
  }

  /** Returns the owner of an id. Undefined for an unknown id. */
  async find(db: Db, id: Id): Promise<Owner | undefined> {
    return db.row<Owner>({ ...this.#find, values: [id] })
  }

  /** Finds the owner of an id and reads its row as soon as it is visible. Undefined for an unknown id. */
  async findRow<Row>(
    db: Db,
    id: Id,
    read: (owner: Owner) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const owner = await this.find(db, id)
    return owner && untilVisible(() => read(owner))
  }

  /** Returns the owners by id. Unknown ids are left out. */
  async findMany(db: Db, ids: readonly Id[]): Promise<Map<Id, Owner>> {
    if (ids.length === 0) return new Map()
    const rows = await db.rows<OwnedId<Id, Owner>>({ ...this.#findMany, values: [ids] })
    return new Map(rows.map(({ id, ...owner }) => [id, owner as unknown as Owner]))
  }

  /** Inserts an id that must be free. Otherwise the transaction fails. */
  insert(tx: Tx, owned: OwnedId<Id, Owner>): void {
    tx.write({ ...this.#insert, values: this.#valuesOf(owned) })
  }

  /** Inserts an id. Returns false if it is taken. */
  async claim(tx: Tx, owned: OwnedId<Id, Owner>): Promise<boolean> {
    const rows = await tx.rows({ ...this.#claim, values: this.#valuesOf(owned) })
    return rows.length > 0
  }

  /** Inserts an id unless it is taken. Returns its owner, and whether it is new. */
  async claimOrFind(tx: Tx, owned: OwnedId<Id, Owner>): Promise<{ owner: Owner; isNew: boolean }> {
    if (await this.claim(tx, owned)) return { owner: owned, isNew: true }
    return { owner: (await this.find(tx, owned.id)) ?? owned, isNew: false }
  }

  /** Inserts an id unless it is taken, and locks it until the transaction ends. Returns its owner. */
  async claimLocked(tx: Tx, owned: OwnedId<Id, Owner>): Promise<Owner> {
    const row = await tx.row<Owner>({ ...this.#claimLocked, values: this.#valuesOf(owned) })
    return row ?? owned
  }

  /**
   * Returns the owner of an id once no other transaction is inserting it, and keeps it from being inserted until this one
   * ends. Undefined for a free id. `owned` is inserted for a moment that nobody else sees.
   */
  async findSettled(tx: Tx, owned: OwnedId<Id, Owner>): Promise<Owner | undefined> {
    const { owner, isNew } = await this.claimOrFind(tx, owned)
    if (!isNew) return owner
    tx.write({ ...this.#delete, values: [owned.id] })
    return undefined
  }

  /** Copies many ids into the table. All must be free. */
  async copyMany(tx: BulkTx, owned: readonly OwnedId<Id, Owner>[]): Promise<void> {
    if (owned.length === 0) return
    const into = { table: this.#table, columns: Object.values(this.#columns) }
    await tx.copy(
      into,
      owned.map((row) => this.#valuesOf(row)),
    )
  }

  #valuesOf(owned: OwnedId<Id, Owner>): CopyValue[] {
    const values = owned as unknown as Record<string, CopyValue>
    return Object.keys(this.#columns).map((field) => values[field] ?? null)
  }
}

function list(pieces: readonly Template[]): Template {
  return joined(pieces, ', ')
}
