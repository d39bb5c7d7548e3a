import { Type } from 'typebox'
import { type Route, ready, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { parseId } from '../kernel/ids.ts'
import type { Db } from '../platform/database/database.ts'
import { OrderAnswer } from './schemas.ts'
import { findOrderOwner, loadOrder, readOrder } from './store.ts'
import { bodyText, bodyVersion, orderAnswer, type Reader } from './view.ts'

/** The order id of a path, or the contract's refusal of what is none (7.5). */
export function orderIdOf(text: string): number {
  if (text === '' || text === 'null') throw new Failure('empty_order_id')
  const id = parseId(text)
  if (id === undefined) throw new Failure('invalid_order_id')
  return id
}

const getOrder = route({
  method: 'GET',
  url: '/orders/:order_id',
  scope: 'read',
  tag: 'Orders',
  summary: 'One order, for its seller or its buyer',
  description:
    'Contract 4.3. With the header `x-format-new: true` in the newer format. Refusals: contract 7.5.',
  params: Type.Object({ order_id: Type.String() }),
  answers: { 200: OrderAnswer },
  async handle({ reads }, { params, headers, caller }) {
    const id = orderIdOf(params.order_id)
    const newFormat = headers['x-format-new'] === 'true'
    const text = await orderFor(reads, { callerId: caller.userId, id, newFormat })
    return ready(text)
  },
})

interface Asked {
  callerId: number
  id: number
  newFormat: boolean
}

/**
 * An order for one of its parties. The caller is tried as its seller first, which is one round trip
 * to one shard and what nearly every request is; only then who the parties are is looked up.
 */
async function orderFor(db: Db, asked: Asked): Promise<string> {
  const { callerId, id } = asked
  const own = await orderText(db, { ...asked, sellerId: callerId, reader: callerId })
  if (own !== undefined) return own
  const owner = await findOrderOwner(db, id)
  if (!owner) throw new Failure('order_not_found')
  if (owner.buyerId !== callerId) throw new Failure('not_owned_order')
  const bought = await orderText(db, { ...asked, sellerId: owner.sellerId, reader: callerId })
  if (bought === undefined) throw new Failure('order_not_found')
  return bought
}

/** The JSON text of this seller's order, as `reader` may see it. */
export async function orderText(
  db: Db,
  asked: { sellerId: number; id: number; newFormat: boolean; reader: Reader },
): Promise<string | undefined> {
  const row = await readOrder(db, asked)
  if (!row) return undefined
  if (row.bodyVersion === bodyVersion) return orderAnswer(row, asked.reader)
  const order = await loadOrder(db, asked)
  return order && orderAnswer({ ...row, body: bodyText(order) }, asked.reader)
}

export const orderRoutes: Route[] = [getOrder]
