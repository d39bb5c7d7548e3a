import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { isNodeUnavailable, isUnavailable } from '../platform/database/errors.ts'
import { OutOfReach } from '../platform/outages.ts'
import { loadOrder } from './store.ts'
import {
  readBuyer,
  readBuyerNew,
  readFeedback,
  readMediations,
  readOrder,
  readOrderAlone,
  readOrderNew,
  readSeller,
  readShipping,
} from './store-read.ts'
import {
  bodyText,
  bodyVersion,
  type OwnTexts,
  orderAnswer,
  type Part,
  type PartTexts,
  parts,
  type Reader,
} from './view.ts'

export interface OrderReadInput {
  sellerId: number
  id: number
  newFormat: boolean
  reader: Reader
}

/** The JSON text of an order, and the parts that are empty because they could not be read. */
export interface OrderReading {
  text: string
  missing: readonly Part[]
}

type Tools = Pick<Context, 'reads' | 'readsApart' | 'outages' | 'now' | 'faults'>

/**
 * Returns this seller's order as `reader` may see it, or undefined. Normally that is one round trip. When it fails
 * or runs past the deadline of short reads, the order and each part are read apart: an unreachable table costs one
 * part. For a moment afterwards, all reads go part by part. Throws the error of the order's own row.
 */
export async function orderReading(
  ctx: Tools,
  input: OrderReadInput,
): Promise<OrderReading | undefined> {
  const orderParts = await readWholeOrder(ctx, input)
  if (!orderParts) return undefined
  const { row, missing } = orderParts
  if (row.bodyVersion !== bodyVersion) {
    const order = await loadOrder(ctx.readsApart, input)
    if (!order) return undefined
    row.body = bodyText(order)
  }
  return { text: orderAnswer(row, { ...input, now: ctx.now(), missing }), missing: [...missing] }
}

interface OrderParts {
  row: OwnTexts & PartTexts
  missing: ReadonlySet<Part>
}

const noParts: ReadonlySet<Part> = new Set()

/** Loads an order with all its parts in one statement. While that fails, or a fault is simulated, it loads the
 * parts one by one. Undefined if there is no such order. */
async function readWholeOrder(ctx: Tools, input: OrderReadInput): Promise<OrderParts | undefined> {
  const { reads, outages } = ctx
  const outageName = input.newFormat ? 'orders in the newer format' : 'orders in the wider format'
  if (ctx.faults().size > 0 || outages.isOut(outageName)) return readInParts(ctx, input)
  try {
    const row = await (input.newFormat ? readOrderNew : readOrder)(reads, input)
    outages.found(outageName)
    return row && { row, missing: noParts }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    if (!isNodeUnavailable(error)) outages.lost(outageName)
    return readInParts(ctx, input)
  }
}

/** Loads an order and its parts by separate statements, for when one of them is out. A part that cannot be read is
 * listed in `missing`; any other error is thrown. Undefined if there is no such order. */
async function readInParts(ctx: Tools, input: OrderReadInput): Promise<OrderParts | undefined> {
  const ownTexts = await readOrderAlone(readerFor('orders', ctx), input)
  if (!ownTexts) return undefined
  const failing = ctx.faults()
  const missing = new Set<Part>()
  const read = async (part: Part): Promise<Partial<PartTexts>> => {
    try {
      if (failing.has(part)) throw new OutOfReach(part)
      return await partReaders[part](readerFor(part, ctx), { ...input, ...ownTexts })
    } catch (error) {
      if (!(error instanceof OutOfReach) && !isUnavailable(error)) throw error
      missing.add(part)
      return {}
    }
  }
  const texts = await Promise.all(parts.map(read))
  return { row: Object.assign(ownTexts, emptyTexts, ...texts), missing }
}

/** Returns a `Db` that fails at once while `name` is marked unreachable, instead of waiting for the database. */
function readerFor(name: string, { readsApart, outages }: Tools): Db {
  return {
    rows: (statement) => outages.past(name, () => readsApart.rows(statement)),
    row: (statement) => outages.past(name, () => readsApart.row(statement)),
  }
}

const emptyTexts: PartTexts = {
  buyer: null,
  seller: null,
  shipping: null,
  sale: null,
  purchase: null,
  mediations: null,
}

type PartReader = (db: Db, input: OrderReadInput & OwnTexts) => Promise<Partial<PartTexts>>

/** Reads of the single parts. A part that the format or the order does not show is not read. */
const partReaders: Readonly<Record<Part, PartReader>> = {
  buyer: (db, { newFormat, buyerId }) => (newFormat ? readBuyerNew : readBuyer)(db, buyerId),
  seller: async (db, { newFormat, sellerId }) => (newFormat ? {} : readSeller(db, sellerId)),
  shipping: async (db, input) =>
    input.newFormat || input.shipmentId === null ? {} : readShipping(db, input),
  feedback: async (db, input) => (input.isRated ? readFeedback(db, input) : {}),
  mediations: async (db, input) => (input.isDisputed ? readMediations(db, input) : {}),
}
