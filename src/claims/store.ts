import type { BulkTx, Db, Tx } from '../platform/database/database.ts'
import { OwnerTable } from '../platform/database/owners.ts'
import { copyRecords } from '../platform/database/records.ts'
import { sql } from '../platform/database/sql.ts'
import type { Claim } from './claim.ts'

export interface ClaimOwner {
  sellerId: number
  buyerId: number
}

/** The parties of each claim. A claim that exists keeps them. */
export const claimOwners = new OwnerTable<number, ClaimOwner>({
  table: 'claim_owner',
  id: 'claim_id',
  idType: 'bigint',
  owner: { sellerId: 'seller_id', buyerId: 'buyer_id' },
})

/** The columns of a claim; `details` has the other fields as JSON. */
type ClaimRow = Pick<
  Claim,
  | 'id'
  | 'sellerId'
  | 'buyerId'
  | 'orderId'
  | 'type'
  | 'stage'
  | 'status'
  | 'dateCreated'
  | 'lastUpdated'
> & { details: string }

/** Loads a claim on an order of this seller. */
export async function findClaim(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<Claim | undefined> {
  const row = await db.row<ClaimRow>(sql`
    select id, seller_id as "sellerId", buyer_id as "buyerId", order_id as "orderId", type, stage,
      status, date_created as "dateCreated", last_updated as "lastUpdated", details
    from claims where seller_id = ${sellerId} and id = ${id}`)
  if (!row) return undefined
  const { details, ...columns } = row
  return { ...columns, ...JSON.parse(details) }
}

/** Inserts or updates a claim. The caller has inserted its owner row before. */
export async function saveClaim(tx: Tx, claim: Claim): Promise<void> {
  const row = rowOf(claim)
  await tx.rows(sql`
    insert into claims (seller_id, id, buyer_id, order_id, type, stage, status, details,
      date_created, last_updated)
    values (${row.seller_id}, ${row.id}, ${row.buyer_id}, ${row.order_id}, ${row.type},
      ${row.stage}, ${row.status}, ${row.details}, ${row.date_created}, ${row.last_updated})
    on conflict (seller_id, id) do update set stage = excluded.stage, status = excluded.status,
      details = excluded.details, last_updated = excluded.last_updated`)
}

/** Bulk-inserts claims with their owner rows. All ids must be unused. */
export async function copyClaims(tx: BulkTx, claims: readonly Claim[]): Promise<void> {
  await claimOwners.copyMany(tx, claims)
  await copyRecords(tx, 'claims', claims.map(rowOf))
}

/** Returns the columns of a claim's row. What is not searched by lies in `details`. */
function rowOf(claim: Claim) {
  const { id, sellerId, buyerId, orderId, type, stage, status, ...rest } = claim
  const { dateCreated, lastUpdated, ...details } = rest
  return {
    seller_id: sellerId,
    id,
    buyer_id: buyerId,
    order_id: orderId,
    type,
    stage,
    status,
    details: JSON.stringify(details),
    date_created: dateCreated,
    last_updated: lastUpdated,
  }
}
