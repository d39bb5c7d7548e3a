import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** An invoice that automatic billing made for a seller (contract 6.2), in the order's own names. */
export interface Invoice {
  id: number
  userId: number
  orderId: number | null
  status: string
  number: number
  series: number
  /** What the tax office knows it by. */
  key: string | null
  amount: number
  issuedDate: string
}

export interface SavedInvoice extends Invoice {
  dateCreated: Date
  lastUpdated: Date
}

/** An invoice of this user's, locked until the transaction ends. */
export async function lockInvoice(
  tx: Tx,
  { userId, id }: Pick<Invoice, 'id' | 'userId'>,
): Promise<SavedInvoice | undefined> {
  await tx.rows(sql`select id from invoices where user_id = ${userId} and id = ${id} for update`)
  return findInvoice(tx, { userId, id })
}

/** What has a column of its own; the rest of an invoice is in `details`. */
type InvoiceRow = Pick<SavedInvoice, 'id' | 'userId' | 'dateCreated' | 'lastUpdated'> & {
  details: string
}

/** An invoice of this user's. */
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

/** Adds an invoice; false when there is one of its number. */
export async function insertInvoice(tx: Tx, invoice: Invoice, now: Date): Promise<boolean> {
  const { id, userId, ...details } = invoice
  const rows = await tx.rows(sql`
    insert into invoices (user_id, id, details, date_created, last_updated)
    values (${userId}, ${id}, ${JSON.stringify(details)}, ${now}, ${now})
    on conflict (user_id, id) do nothing returning id`)
  return rows.length > 0
}

/** Writes what became of a locked invoice. */
export function saveInvoice(tx: Tx, { id, userId, ...details }: Invoice, now: Date): void {
  tx.write(sql`
    update invoices set details = ${JSON.stringify(details)}, last_updated = ${now}
    where user_id = ${userId} and id = ${id}`)
}
