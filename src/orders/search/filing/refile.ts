import type { Context } from '../../../platform/context.ts'
import { filingVersion } from '../../facets.ts'
import { lockFreeOrders, refileOrders } from '../../store.ts'
import { inLockOrder } from '../counts/fold.ts'
import { addToCounts } from '../counts/store.ts'
import {
  findMiscounts,
  findRecount,
  firstGroup,
  listFiledUnder,
  listOutdatedGroups,
  type OutdatedGroup,
  takeRecount,
} from './store.ts'

/** Orders in one transaction: they are locked for some tens of milliseconds. */
const usualBatchSize = 200
/** A recount of a million orders takes some seconds. */
const mostRecountMs = 600_000

/**
 * Files orders of earlier versions anew (docs/decisions/0031-versions-of-derived-data.md): nobody is notified, and
 * `last_updated` stays. Any number of processes may do so at once.
 */
export class OrderFiling {
  readonly #tools: Pick<Context, 'db'>
  readonly #batchSize: number
  /** Where the next batch begins: groups before it have no orders, or such as somebody had locked. */
  #from: OutdatedGroup = firstGroup

  constructor(tools: Pick<Context, 'db'>, { batchSize = usualBatchSize } = {}) {
    this.#tools = tools
    this.#batchSize = batchSize
  }

  /** One batch, then one recount where there is a reason for it. Returns whether there may be more at once. */
  async turn(): Promise<boolean> {
    const hasMore = await this.#refileBatch()
    return (await recountOne(this.#tools)) || hasMore
  }

  async #refileBatch(): Promise<boolean> {
    const { db } = this.#tools
    const next = { from: this.#from, version: filingVersion, limit: this.#batchSize }
    const listed = await listOutdatedGroups(db, next)
    const [first] = listed
    if (!first) {
      this.#from = firstGroup
      return false
    }
    const { sellerId, version } = first
    const groups = listed.filter((each) => each.sellerId === sellerId && each.version === version)
    const kinds = groups.map(({ kind }) => kind)
    const ids = await listFiledUnder(db, { sellerId, kinds, limit: this.#batchSize })
    const refiled = await db.transaction(async (tx) => {
      const orders = await lockFreeOrders(tx, { sellerId, ids })
      return refileOrders(tx, orders, { groupVersion: version })
    })
    this.#from = refiled < this.#batchSize ? behind(groups.at(-1) ?? first) : first
    return true
  }
}

function behind(group: OutdatedGroup): OutdatedGroup {
  return { ...group, kind: String(BigInt(group.kind) + 1n) }
}

/** Corrects the counts of one seller that a release without versions has left wrong. Returns whether there was one. */
async function recountOne({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const sellerId = await findRecount(db)
  if (sellerId === undefined) return false
  await db.transaction(async (tx) => {
    if (!(await takeRecount(tx, sellerId))) return
    const added = await findMiscounts(tx, { sellerId, mostMs: mostRecountMs })
    await addToCounts(tx, { sellerId, added: inLockOrder(added) })
  })
  return true
}
