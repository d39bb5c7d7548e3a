import type { Context } from '../platform/context.ts'
import { type Db, isUnavailable } from '../platform/database/database.ts'
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
  type Reader,
} from './view.ts'

export interface Asked {
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

type Tools = Pick<Context, 'reads' | 'now' | 'faults'>

/**
 * This seller's order, as `reader` may see it. Normally one round trip; when that fails or runs past
 * the deadline of short reads, the order is read by itself and its parts one by one, so that one
 * table out of reach costs one part (contract 4.3). Throws what the order itself fails with.
 */
export async function orderReading(ctx: Tools, asked: Asked): Promise<OrderReading | undefined> {
  const found = await wholeOrder(ctx, asked)
  if (!found) return undefined
  const { row, missing } = found
  if (row.bodyVersion !== bodyVersion) {
    const order = await loadOrder(ctx.reads, asked)
    if (!order) return undefined
    row.body = bodyText(order)
  }
  return { text: orderAnswer(row, { ...asked, now: ctx.now(), missing }), missing: [...missing] }
}

interface Found {
  row: OwnTexts & PartTexts
  missing: ReadonlySet<Part>
}

const none: ReadonlySet<Part> = new Set()

async function wholeOrder(ctx: Tools, asked: Asked): Promise<Found | undefined> {
  const { reads } = ctx
  if (ctx.faults().size > 0) return inParts(ctx, asked)
  try {
    const row = await (asked.newFormat ? readOrderNew : readOrder)(reads, asked)
    return row && { row, missing: none }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return inParts(ctx, asked)
  }
}

async function inParts({ reads, faults }: Tools, asked: Asked): Promise<Found | undefined> {
  const own = await readOrderAlone(reads, asked)
  if (!own) return undefined
  const failing = faults()
  const missing = new Set<Part>()
  const read = async (part: Part): Promise<Partial<PartTexts>> => {
    try {
      if (failing.has(part)) throw new PretendedFault()
      return await partReaders[part](reads, { ...asked, ...own })
    } catch (error) {
      if (!(error instanceof PretendedFault) && !isUnavailable(error)) throw error
      missing.add(part)
      return {}
    }
  }
  const texts = await Promise.all([
    read('buyer'),
    read('feedback'),
    read('mediations'),
    read('seller'),
    read('shipping'),
  ])
  return { row: Object.assign(own, nothing, ...texts), missing }
}

/** The sandbox pretends that a part is out of reach, so that callers can try their side. */
class PretendedFault extends Error {}

const nothing: PartTexts = {
  buyer: null,
  seller: null,
  shipping: null,
  sale: null,
  purchase: null,
  mediations: null,
}

type PartReader = (db: Db, asked: Asked & OwnTexts) => Promise<Partial<PartTexts>>

/** What the newer format or the order itself does not show is not read. */
const partReaders: Readonly<Record<Part, PartReader>> = {
  buyer: (db, { newFormat, buyerId }) => (newFormat ? readBuyerNew : readBuyer)(db, buyerId),
  seller: async (db, { newFormat, sellerId }) => (newFormat ? {} : readSeller(db, sellerId)),
  shipping: async (db, asked) =>
    asked.newFormat || asked.shipmentId === null ? {} : readShipping(db, asked),
  feedback: async (db, asked) => (asked.isRated ? readFeedback(db, asked) : {}),
  mediations: async (db, asked) => (asked.isDisputed ? readMediations(db, asked) : {}),
}
