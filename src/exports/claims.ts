import { claimOwners } from '../claims/store.ts'
import { claimView } from '../claims/view.ts'
import { parseId } from '../kernel/ids.ts'
import {
  type ClaimExportFilter,
  type ClaimKey,
  countClaims,
  type ExportedClaimRow,
  findClaimWindowEnd,
  readExportedClaims,
} from './claims-read-model.ts'
import { type ExportKind, nextKey } from './kind.ts'

/** Claims as their parties read them. */
export const claimExport: ExportKind<ClaimExportFilter, ClaimKey> = {
  name: 'claims',
  columns: {
    id: 'id',
    order_id: 'resource_id',
    site_id: 'site_id',
    status: 'status',
    type: 'type',
    stage: 'stage',
    reason_id: 'reason_id',
    fulfilled: 'fulfilled',
    claimed_quantity: 'claimed_quantity',
    complainant_and_respondent_ids: 'players.user_id',
    resolution_reason: 'resolution.reason',
    resolution_benefited: 'resolution.benefited',
    resolution_closed_by: 'resolution.closed_by',
    resolution_date: 'resolution.date_created',
    date_created: 'date_created',
    last_updated: 'last_updated',
  },
  firstKey: [0, 0],
  async findKey(db, text) {
    const id = parseId(text)
    const owner = id === undefined ? undefined : await claimOwners.find(db, id)
    return owner && id !== undefined ? [owner.sellerId, id] : undefined
  },
  findWindowEnd: findClaimWindowEnd,
  countRows: countClaims,
  async readPage({ db }, filter, range) {
    const rows = await readExportedClaims(db, filter, range)
    return {
      entries: rows.map(viewOf),
      next: nextKey(rows, range, ({ sellerId, id }) => [sellerId, id]),
    }
  },
}

function viewOf({ details, ...columns }: ExportedClaimRow): object {
  return claimView({ ...columns, ...JSON.parse(details) })
}
