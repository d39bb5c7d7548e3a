import { amount } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ExchangeRate } from './conversion.ts'

/** Returns the rates between any two of these currencies. */
export async function findRates(db: Db, currencies: readonly string[]): Promise<ExchangeRate[]> {
  const rows = await db.rows<Omit<ExchangeRate, 'rate'> & { rate: string }>(sql`
    select base, quote, rate, date_created as "dateCreated" from currency_rates
    where base = any(${currencies}::text[]) and quote = any(${currencies}::text[])
    order by base, quote`)
  return rows.map((row) => ({ ...row, rate: amount(row.rate) }))
}

/** Loads a rate and locks it until the transaction ends. */
export async function lockRate(
  tx: Tx,
  { base, quote }: Pick<ExchangeRate, 'base' | 'quote'>,
): Promise<ExchangeRate | undefined> {
  const row = await tx.row<Omit<ExchangeRate, 'rate'> & { rate: string }>(sql`
    select base, quote, rate, date_created as "dateCreated" from currency_rates
    where base = ${base} and quote = ${quote} for update`)
  return row && { ...row, rate: amount(row.rate) }
}

/** Inserts or replaces a rate. Returns whether it is new. */
export async function saveRate(
  db: Db,
  { base, quote, rate, dateCreated }: ExchangeRate,
): Promise<boolean> {
  const row = await db.row<{ created: boolean }>(sql`
    insert into currency_rates (base, quote, rate, date_created)
    values (${base}, ${quote}, ${rate.toString()}, ${dateCreated})
    on conflict (base, quote) do update set rate = excluded.rate,
      date_created = excluded.date_created
    returning xmax = 0 as created`)
  return row?.created ?? false
}

/** Inserts a rate, unless the pair has one. */
export async function addRate(
  db: Db,
  { base, quote, rate, dateCreated }: ExchangeRate,
): Promise<void> {
  await db.rows(sql`
    insert into currency_rates (base, quote, rate, date_created)
    values (${base}, ${quote}, ${rate.toString()}, ${dateCreated})
    on conflict (base, quote) do nothing`)
}
