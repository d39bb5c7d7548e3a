import { type Static, Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { checkBody } from '../../http/check.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { keyOf } from '../../http/store-idempotency.ts'
import type { Context } from '../../platform/context.ts'
import { noItem } from '../routes.ts'
import { readItems } from '../store-read.ts'
import { ItemAnswer, itemView } from '../view.ts'
import { ItemBody, NewItemBody } from './bodies.ts'
import { change, checkSeller, sell } from './commands.ts'

const tag = 'Items'
const checkItem = checkBody(ItemBody)

const checked =
  'What the category does not take is refused with a `validation_error`, all of it at once (of more than 100 breaches the first): `cause` has a `code`, the `field` and a `message` for each (contract 2.13, 2.14). Fields that are only told, such as `sold_quantity`, are ignored.'

const postItem = route({
  method: 'POST',
  url: '/items',
  scope: 'write',
  tag,
  summary: 'List an item',
  description: `The token's user is its seller. ${checked} Beside title and category, its category's settings and attributes say what must be there. A repeated \`Idempotency-Key\` with the same body answers the item made first, with the header \`idempotent-replayed: true\`. Told on the topic items.`,
  body: NewItemBody,
  // What lacks is told together with the rest.
  unchecked: true,
  answers: { 201: ItemAnswer },
  async handle(ctx, { body, headers, caller: { userId } }) {
    const said = checkItem(body) as Static<typeof ItemBody>
    const { id, isRepeated } = await sell(ctx, { userId, body: said, key: keyOf(headers) })
    const answer = created(await itemOf(ctx, { id, userId }))
    return isRepeated ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer
  },
})

const putItem = route({
  method: 'PUT',
  url: '/items/:item_id',
  scope: 'write',
  tag,
  summary: "Change one's own item: price, stock, status and the rest",
  description: `Only what is said changes; null empties what may be empty. Of \`attributes\` those that are named, by their ids; of \`variations\` all: those that are not named are gone. Of \`status\`, \`closed\` is final. ${checked} Told on the topic items, unless nothing has changed.`,
  params: Type.Object({ item_id: Type.String() }),
  permit: permitSeller,
  body: ItemBody,
  answers: { 200: ItemAnswer },
  async handle(ctx, { params: { item_id: id }, body, caller: { userId } }) {
    await change(ctx, { userId, id, body })
    return ok(await itemOf(ctx, { id, userId }))
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
  { db }: Pick<Context, 'db'>,
  { id, userId }: { id: string; userId: number },
): Promise<object> {
  const item = (await readItems(db, [id])).get(id)
  if (!item) throw noItem(id)
  return itemView(item, userId)
}

export const sellRoutes: Route[] = [postItem, putItem]
