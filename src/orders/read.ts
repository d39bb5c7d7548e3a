import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { isUnavailable } from '../platform/database/errors.ts'
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

/** The JSON text of an order, and which of its parts are empty because they could not be had. */
export interface OrderReading {
  text: string
  missing: readonly Part[]
}

type Tools = Pick<Context, 'reads' | 'readsApart' | 'outages' | 'now' | 'faults'>

/**
 * This seller's order, as `reader` may see it. Normally one round trip; when that fails or runs past
 * the deadline of short reads, the order is read by itself and its parts one by one, so that one
 * table out of reach costs one part (contract 4.3); for a moment after, nobody tries it otherwise.
 * Throws what the order itself fails with.
 */
export async function orderReading(
  ctx: Tools,
  asked: OrderReadInput,
): Promise<OrderReading | undefined> {
  const found = await wholeOrder(ctx, asked)
  if (!found) return undefined
  const { row, missing } = found
  if (row.bodyVersion !== bodyVersion) {
    const order = await loadOrder(ctx.readsApart, asked)
    if (!order) return undefined
    row.body = bodyText(order)
  }
  return { text: orderAnswer(row, { ...asked, now: ctx.now(), missing }), missing: [...missing] }
}

interface OrderParts {
  row: OwnTexts & PartTexts
  missing: ReadonlySet<Part>
}

const none: ReadonlySet<Part> = new Set()

async function wholeOrder(ctx: Tools, asked: OrderReadInput): Promise<OrderParts | undefined> {
  const { reads, outages } = ctx
  const way = asked.newFormat ? 'orders in the newer format' : 'orders in the wider format'
  if (ctx.faults().size > 0 || outages.isOut(way)) return inParts(ctx, asked)
  try {
    const row = await (asked.newFormat ? readOrderNew : readOrder)(reads, asked)
    outages.found(way)
    return row && { row, missing: none }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    outages.lost(way)
    return inParts(ctx, asked)
  }
}

async function inParts(ctx: Tools, asked: OrderReadInput): Promise<OrderParts | undefined> {
  const own = await readOrderAlone(readerFor('orders', ctx), asked)
  if (!own) return undefined
  const failing = ctx.faults()
  const missing = new Set<Part>()
  const read = async (part: Part): Promise<Partial<PartTexts>> => {
    try {
      if (failing.has(part)) throw new OutOfReach(part)
      return await partReaders[part](readerFor(part, ctx), { ...asked, ...own })
    } catch (error) {
      if (!(error instanceof OutOfReach) && !isUnavailable(error)) throw error
      missing.add(part)
      return {}
    }
  }
  const texts = await Promise.all(parts.map(read))
  return { row: Object.assign(own, nothing, ...texts), missing }
}

/** Reads what `name` stands for, unless that was out of reach a moment ago. */
function readerFor(name: string, { readsApart, outages }: Tools): Db {
  return {
    rows: (statement) => outages.past(name, () => readsApart.rows(statement)),
    row: (statement) => outages.past(name, () => readsApart.row(statement)),
  }
}

const nothing: PartTexts = {
  buyer: null,
  seller: null,
  shipping: null,
  sale: null,
  purchase: null,
  mediations: null,
}

type PartReader = (db: Db, asked: OrderReadInput & OwnTexts) => Promise<Partial<PartTexts>>

/** What the newer format or the order itself does not show is not read. */
const partReaders: Readonly<Record<Part, PartReader>> = {
  buyer: (db, { newFormat, buyerId }) => (newFormat ? readBuyerNew : readBuyer)(db, buyerId),
  seller: async (db, { newFormat, sellerId }) => (newFormat ? {} : readSeller(db, sellerId)),
  shipping: async (db, asked) =>
    asked.newFormat || asked.shipmentId === null ? {} : readShipping(db, asked),
  feedback: async (db, asked) => (asked.isRated ? readFeedback(db, asked) : {}),
  mediations: async (db, asked) => (asked.isDisputed ? readMediations(db, asked) : {}),
}
