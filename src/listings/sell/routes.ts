import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import type { Caller } from '../../http/caller.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { keyOf } from '../../http/store-idempotency.ts'
import type { Context } from '../../platform/context.ts'
import { noItem } from '../routes.ts'
import { readItems } from '../store-read.ts'
import { ItemAnswer, itemView } from '../view.ts'
import { ItemBody, ItemChangeBody } from './bodies.ts'
import { change, checkSeller, sell } from './commands.ts'

const tag = 'Items'

const checked =
  'What the category does not take is refused with a `validation_error`, all of it at once (of more than 100 breaches the first): `cause` has a `code`, the `field` and a `message` for each. What is doubtful, such as a GTIN with a wrong check digit, is taken and named in `warnings`. Attributes that the category does not have are kept as they are said, `description` becomes the description of the item, and fields that are not known are dropped.'

const postItem = route({
  method: 'POST',
  url: '/items',
  scope: 'write',
  tag,
  summary: 'List an item',
  description: `The token's user is its seller. A new item has at least \`category_id\` and \`title\` (or a \`family_name\`, which is its title then). Its category's settings and attributes say what must be there. ${checked} A repeated \`Idempotency-Key\` with the same body answers the item made first, with the header \`idempotent-replayed: true\`. Sends a notification on the topic \`items\`.`,
  // What a new item lacks is told together with the rest that is wrong: nothing is required here.
  body: ItemBody,
  takesBack: ItemAnswer,
  answers: { 201: ItemAnswer },
  async handle(ctx, { body, headers, caller: { userId } }) {
    const { id, isRepeated } = await sell(ctx, { userId, body, key: keyOf(headers) })
    const answer = created(await itemOf(ctx, { id, userId, headers }))
    return isRepeated ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer
  },
})

const putItem = route({
  method: 'PUT',
  url: '/items/:item_id',
  scope: 'write',
  tag,
  summary: "Change one's own item: price, stock, status and the rest",
  description: `Only what is said changes; null empties what may be empty. Of \`attributes\` those that are named, by their ids; of \`variations\` all: those that are not named are gone. Of \`status\`, \`closed\` is final; \`deleted\` takes a closed item away for good: its \`sub_status\` gets \`deleted\`, and searches no longer find it. ${checked} Sends a notification on the topic \`items\`, unless nothing has changed.`,
  params: Type.Object({ item_id: Type.String() }),
  permit: permitSeller,
  body: ItemChangeBody,
  answers: { 200: ItemAnswer },
  async handle(ctx, { params: { item_id: id }, body, headers, caller: { userId } }) {
    await change(ctx, { userId, id, body })
    return ok(await itemOf(ctx, { id, userId, headers }))
  },
})

/** Checks that the caller sells the item of the path. */
export async function permitSeller(
  { db }: Pick<Context, 'db'>,
  { params, caller }: { params: { item_id: string }; caller: Caller },
): Promise<void> {
  await checkSeller(db, { userId: caller.userId, id: params.item_id })
}

async function itemOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { id, userId, headers }: { id: string; userId: number; headers: IncomingHttpHeaders },
): Promise<object> {
  const item = (await readItems(db, [id])).get(id)
  if (!item) throw noItem(id)
  return itemView(item, { reader: userId, base: baseAddress(config, headers) })
}

export const sellRoutes: Route[] = [postItem, putItem]
