import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import type { Caller } from '../../http/caller.ts'
import { created, ok, type Route, route } from '../../http/route.ts'
import { idempotencyKeyOf } from '../../http/store-idempotency.ts'
import type { Context } from '../../platform/context.ts'
import { itemNotFound } from '../routes.ts'
import { readItems } from '../store-read.ts'
import { ItemAnswer, itemView } from '../view.ts'
import { ItemBody, ItemChangeBody } from './bodies.ts'
import { changeItem, checkSeller, listItem } from './commands.ts'

const tag = 'Items'

const rules =
  'Attributes that the category does not have are stored as sent, `description` becomes the description of the item, and unknown fields are ignored. Doubtful values, such as a GTIN with a wrong check digit, are listed in `warnings`. 400 `validation_error`: `cause` lists what the category does not allow, up to 100 entries with `code`, `field` and `message`. 403 `unable_to_list`: your account is not registered or was deactivated.'

const postItem = route({
  method: 'POST',
  url: '/items',
  scope: 'write',
  tag,
  summary: 'Create an item',
  description: `Lists an item that you sell and sends a notification of the topic \`items\`. \`category_id\` and \`title\` are required (or \`family_name\`, which then becomes the title); the settings and attributes of the category say which further fields are. ${rules} Send an \`Idempotency-Key\` to retry safely: the same key with the same body returns the first item, with the header \`idempotent-replayed: true\`. 422 \`idempotency_key_reused\`: the same key came with another body.`,
  refuses: {
    validation_error: 'price: expected more than 0',
    unable_to_list: 'the account is deactivated',
    idempotency_key_reused: '',
  },
  // No field is required by the schema: `draft.ts` reports missing fields together with all other breaches.
  body: ItemBody,
  roundTripSchema: ItemAnswer,
  answers: { 201: ItemAnswer },
  async handle(ctx, { body, headers, caller: { userId } }) {
    const { id, isRepeated } = await listItem(ctx, { userId, body, key: idempotencyKeyOf(headers) })
    const answer = created(await itemOf(ctx, { id, userId, headers }))
    return isRepeated ? { ...answer, headers: { 'idempotent-replayed': 'true' } } : answer
  },
})

const putItem = route({
  method: 'PUT',
  url: '/items/:item_id',
  scope: 'write',
  tag,
  summary: 'Update an item',
  description: `Changes the fields that you send, such as price, stock or status; null clears a field that may be empty. When something changes, a notification of the topic \`items\` is sent. \`attributes\` replaces attributes of the same id; \`variations\` replaces all variations, so that those you leave out are deleted. The status \`closed\` is final. \`deleted: true\` removes a closed item for good: its \`sub_status\` is then \`deleted\`, and searches no longer find it. ${rules} 400 \`item_closed\`: the item is closed. 403 \`not_owned_item\`: the item is not yours. 404 \`not_found\`: there is no such item.`,
  refuses: {
    validation_error: 'price: expected more than 0',
    item_closed: 'MLA600000001 [status:closed, has_bids:true]',
    not_owned_item: '',
    unable_to_list: 'the account is deactivated',
    not_found: 'Item not found: MLA600000001',
  },
  params: Type.Object({ item_id: Type.String() }),
  permit: permitSeller,
  body: ItemChangeBody,
  answers: { 200: ItemAnswer },
  async handle(ctx, { params: { item_id: id }, body, headers, caller: { userId } }) {
    await changeItem(ctx, { userId, id, body })
    return ok(await itemOf(ctx, { id, userId, headers }))
  },
})

/** Checks that the caller sells the item of the path. Throws `not_found` and `not_owned_item`. */
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
  if (!item) throw itemNotFound(id)
  return itemView(item, { reader: userId, base: baseAddress(config, headers) })
}

export const sellRoutes: Route[] = [postItem, putItem]
