import type { Context } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { filingVersion } from '../../facets.ts'
import { lockOrdersSkipLocked, orderTexts, renewOrderData } from '../../store.ts'
import { requestRecount } from '../../store-index.ts'
import { inLockOrder } from '../counts/apply-changes.ts'
import { addToCounts } from '../counts/store.ts'
import {
  findCountDifferences,
  findRecountRequest,
  firstGroup,
  listOrdersInGroups,
  listOutdatedGroups,
  type OrderKey,
  type OutdatedGroup,
  takeRecountRequests,
} from './store.ts'

/** Orders per transaction, which locks them for some tens of milliseconds. */
const defaultBatchSize = 200
/** Time limit of a recount: a million orders take some seconds. */
const maxRecountMs = 600_000

/**
 * Updates the search data of orders that an earlier version filed (docs/decisions/0031-versions-of-derived-data.md).
 * It sends no notifications and keeps `last_updated`. Any number of processes may run it at once.
 */
export class OrderReindexer {
  readonly #tools: Pick<Context, 'db'>
  readonly #batchSize: number
  /** The first group of the next batch. Groups before it have no orders left, except locked ones. */
  #from: OutdatedGroup = firstGroup

  constructor(tools: Pick<Context, 'db'>, { batchSize = defaultBatchSize } = {}) {
    this.#tools = tools
    this.#batchSize = batchSize
  }

  /** Refiles one batch, then does one recount if any is requested. Returns whether there may be more to do. */
  async turn(): Promise<boolean> {
    const hasMore = await this.#refileBatch()
    return (await recountOne(this.#tools)) || hasMore
  }

  /** Files a batch of orders of one seller anew, from facet groups of an older version. Locked orders are left to a
   * later batch. Returns false once no outdated group is left. */
  async #refileBatch(): Promise<boolean> {
    const { db } = this.#tools
    const next = { from: this.#from, version: filingVersion, limit: this.#batchSize }
    const outdated = await listOutdatedGroups(db, next)
    const [first] = outdated
    if (!first) {
      this.#from = firstGroup
      return false
    }
    const { sellerId, version } = first
    const groups = outdated.filter(
      (group) => group.sellerId === sellerId && group.version === version,
    )
    const groupIds = groups.map(({ kind }) => kind)
    const ids = await listOrdersInGroups(db, { sellerId, groupIds, limit: this.#batchSize })
    const refiled = await db.transaction(async (tx) => {
      const orders = await lockOrdersSkipLocked(tx, { sellerId, ids })
      return renewOrderData(tx, orders, { groupVersion: version })
    })
    this.#from = refiled < this.#batchSize ? groupAfter(groups.at(-1) ?? first) : first
    return true
  }
}

/**
 * Files orders anew whether or not an earlier version filed them: search data, rendered text, and the counts of sellers
 * that are not `recountedSellerId`. An order that another transaction has locked is left out, because whoever changes
 * an order files it. Returns how many were filed wrongly.
 */
export async function refileOrders(
  tx: Tx,
  { keys, recountedSellerId }: { keys: readonly OrderKey[]; recountedSellerId: number },
): Promise<number> {
  let corrected = 0
  for (const [sellerId, keysOfSeller] of Map.groupBy(keys, (key) => key.sellerId)) {
    const ids = keysOfSeller.map(({ id }) => id)
    const orders = await lockOrdersSkipLocked(tx, { sellerId, ids })
    corrected += await renewOrderData(tx, orders, { groupVersion: filingVersion })
    if (sellerId !== recountedSellerId) requestRecount(tx, { sellerId })
  }
  await orderTexts.renew(
    tx,
    keys.map(({ sellerId, id }) => [sellerId, id]),
  )
  return corrected
}

function groupAfter(group: OutdatedGroup): OutdatedGroup {
  return { ...group, kind: String(BigInt(group.kind) + 1n) }
}

/** Corrects the counts of one seller for whom a recount is requested. Returns whether there was one. */
async function recountOne({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const sellerId = await findRecountRequest(db)
  if (sellerId === undefined) return false
  await db.transaction(async (tx) => {
    if (!(await takeRecountRequests(tx, sellerId))) return
    const differences = await findCountDifferences(tx, { sellerId, mostMs: maxRecountMs })
    await addToCounts(tx, { sellerId, added: inLockOrder(differences) })
  })
  return true
}
