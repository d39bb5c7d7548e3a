import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** An invoice that automatic billing made for a seller. */
export interface Invoice {
  id: number
  userId: number
  orderId: number | null
  status: string
  number: number
  series: number
  /** The access key of the tax office: 44 digits. */
  key: string | null
  amount: number
  issuedDate: string
}

export interface SavedInvoice extends Invoice {
  dateCreated: Date
  lastUpdated: Date
}

/** Loads an invoice of this user and locks it until the transaction ends. */
export async function lockInvoice(
  tx: Tx,
  { userId, id }: Pick<Invoice, 'id' | 'userId'>,
): Promise<SavedInvoice | undefined> {
  await tx.rows(sql`select id from invoices where user_id = ${userId} and id = ${id} for update`)
  return findInvoice(tx, { userId, id })
}

/** The columns of an invoice; `details` has the other fields as JSON. */
type InvoiceRow = Pick<SavedInvoice, 'id' | 'userId' | 'dateCreated' | 'lastUpdated'> & {
  details: string
}

/** Loads an invoice of this user. */
export async function findInvoice(
  db: Db,
  { userId, id }: Pick<Invoice, 'id' | 'userId'>,
): Promise<SavedInvoice | undefined> {
  const row = await db.row<InvoiceRow>(sql`
    select id, user_id as "userId", details, date_created as "dateCreated",
      last_updated as "lastUpdated"
    from invoices where user_id = ${userId} and id = ${id}`)
  if (!row) return undefined
  const { details, ...columns } = row
  return { ...columns, ...JSON.parse(details) }
}

/** Inserts an invoice. Returns false when the user already has one with this id. */
export async function insertInvoice(tx: Tx, invoice: Invoice, now: Date): Promise<boolean> {
  const { id, userId, ...details } = invoice
  const rows = await tx.rows(sql`
    insert into invoices (user_id, id, details, date_created, last_updated)
    values (${userId}, ${id}, ${JSON.stringify(details)}, ${now}, ${now})
    on conflict (user_id, id) do nothing returning id`)
  return rows.length > 0
}

/** Updates an invoice that the transaction has locked. */
export function saveInvoice(tx: Tx, { id, userId, ...details }: Invoice, now: Date): void {
  tx.write(sql`
    update invoices set details = ${JSON.stringify(details)}, last_updated = ${now}
    where user_id = ${userId} and id = ${id}`)
}
