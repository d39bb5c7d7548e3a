import { ResourceUnavailable } from '../platform/circuit-breaker.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { isNodeUnavailable, isUnavailable } from '../platform/database/errors.ts'
import {
  readBuyer,
  readBuyerNewFormat,
  readFeedback,
  readMediations,
  readOrder,
  readOrderNewFormat,
  readOrderWithoutParts,
  readSeller,
  readShipping,
} from './order-read-model.ts'
import { loadOrder } from './store.ts'
import {
  bodyText,
  bodyVersion,
  type OrderBodyRow,
  type OrderPartName,
  type OrderPartTexts,
  type OrderViewer,
  orderPartNames,
  renderOrder,
} from './view.ts'

export interface OrderReadInput {
  sellerId: number
  id: number
  newFormat: boolean
  reader: OrderViewer
}

/** The JSON text of an order, and the parts that are empty because they could not be read. */
export interface RenderedOrder {
  text: string
  missing: readonly OrderPartName[]
  /** The row of the order itself. Its version is that of `stateOfOrder`. */
  row: OrderBodyRow
}

type Tools = Pick<Context, 'reads' | 'readsApart' | 'outages' | 'now' | 'faults'>

/**
 * Returns this seller's order as `reader` may see it, or undefined. Normally that is one round trip. When it fails
 * or runs past the deadline of short reads, the order and each part are read apart: an unreachable table costs one
 * part. For a moment afterwards, all reads go part by part. Throws the error of the order's own row.
 */
export async function loadRenderedOrder(
  ctx: Tools,
  input: OrderReadInput,
): Promise<RenderedOrder | undefined> {
  const orderParts = await readWholeOrder(ctx, input)
  if (!orderParts) return undefined
  const { row, missing } = orderParts
  if (row.bodyVersion !== bodyVersion) {
    const order = await loadOrder(ctx.readsApart, input)
    if (!order) return undefined
    row.body = bodyText(order)
  }
  const text = renderOrder(row, { ...input, now: ctx.now(), missing })
  return { text, missing: [...missing], row }
}

interface LoadedOrderRow {
  row: OrderBodyRow & OrderPartTexts
  missing: ReadonlySet<OrderPartName>
}

const noParts: ReadonlySet<OrderPartName> = new Set()

/** Loads an order with all its parts in one statement. While that fails, or a fault is simulated, it loads the
 * parts one by one. Undefined if there is no such order. */
async function readWholeOrder(
  ctx: Tools,
  input: OrderReadInput,
): Promise<LoadedOrderRow | undefined> {
  const { reads, outages } = ctx
  const outageName = input.newFormat ? 'orders in the newer format' : 'orders in the wider format'
  if (ctx.faults().size > 0 || outages.isOut(outageName)) return readPartByPart(ctx, input)
  try {
    const row = await (input.newFormat ? readOrderNewFormat : readOrder)(reads, input)
    outages.recordSuccess(outageName)
    return row && { row, missing: noParts }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    if (!isNodeUnavailable(error)) outages.recordFailure(outageName)
    return readPartByPart(ctx, input)
  }
}

/** Loads an order and its parts by separate statements, for when one of them is out. A part that cannot be read is
 * listed in `missing`; any other error is thrown. Undefined if there is no such order. */
async function readPartByPart(
  ctx: Tools,
  input: OrderReadInput,
): Promise<LoadedOrderRow | undefined> {
  const ownTexts = await readOrderWithoutParts(failFastDb('orders', ctx), input)
  if (!ownTexts) return undefined
  const failing = ctx.faults()
  const missing = new Set<OrderPartName>()
  const read = async (part: OrderPartName): Promise<Partial<OrderPartTexts>> => {
    try {
      if (failing.has(part)) throw new ResourceUnavailable(part)
      return await partReaders[part](failFastDb(part, ctx), { ...input, ...ownTexts })
    } catch (error) {
      if (!(error instanceof ResourceUnavailable) && !isUnavailable(error)) throw error
      missing.add(part)
      return {}
    }
  }
  const texts = await Promise.all(orderPartNames.map(read))
  return { row: Object.assign(ownTexts, emptyTexts, ...texts), missing }
}

/** Returns a `Db` that fails at once while `name` is marked unreachable, instead of waiting for the database. */
function failFastDb(name: string, { readsApart, outages }: Tools): Db {
  return {
    rows: (statement) => outages.run(name, () => readsApart.rows(statement)),
    row: (statement) => outages.run(name, () => readsApart.row(statement)),
  }
}

const emptyTexts: OrderPartTexts = {
  buyer: null,
  seller: null,
  shipping: null,
  sale: null,
  purchase: null,
  mediations: null,
}

type PartReader = (db: Db, input: OrderReadInput & OrderBodyRow) => Promise<Partial<OrderPartTexts>>

/** Reads of the single parts. A part that the format or the order does not show is not read. */
const partReaders: Readonly<Record<OrderPartName, PartReader>> = {
  buyer: (db, { newFormat, buyerId }) => (newFormat ? readBuyerNewFormat : readBuyer)(db, buyerId),
  seller: async (db, { newFormat, sellerId }) => (newFormat ? {} : readSeller(db, sellerId)),
  shipping: async (db, input) =>
    input.newFormat || input.shipmentId === null ? {} : readShipping(db, input),
  feedback: async (db, input) => (input.isRated ? readFeedback(db, input) : {}),
  mediations: async (db, input) => (input.isDisputed ? readMediations(db, input) : {}),
}
