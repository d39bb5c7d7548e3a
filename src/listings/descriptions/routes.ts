import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Bounded, Timestamp } from '../../kernel/schema.ts'
import { noItem } from '../routes.ts'
import { permitSeller } from '../sell/routes.ts'
import { itemOwners } from '../store.ts'
import { describe } from './commands.ts'
import { type Description, findDescription } from './store.ts'

const DescriptionAnswer = Type.Object({
  plain_text: Type.String(),
  date_created: Timestamp,
  last_updated: Timestamp,
})
const url = '/items/:item_id/description'
const tag = 'Items'
const params = Type.Object({ item_id: Type.String() })
const body = Type.Object({ plain_text: Bounded(200_000) })
const checked =
  'At most as long as `max_description_length` of the category allows. Sends a notification on the topic `items`, unless the words are those of before.'

const getDescription = route({
  method: 'GET',
  url,
  scope: 'public',
  tag,
  summary: 'What an item is, in its seller’s words',
  params,
  answers: { 200: DescriptionAnswer },
  async handle({ reads }, { params: { item_id: itemId } }) {
    const owner = await itemOwners.find(reads, itemId)
    if (!owner) throw noItem(itemId)
    const found = await findDescription(reads, { ...owner, itemId })
    if (!found) throw new Failure('not_found', `Description not found: ${itemId}`)
    return ok(view(found))
  },
})

const postDescription = route({
  method: 'POST',
  url,
  scope: 'write',
  tag,
  summary: 'Describe one’s own item for the first time',
  description: checked,
  params,
  permit: permitSeller,
  body,
  answers: { 201: DescriptionAnswer },
  async handle(ctx, { params, body, caller: { userId } }) {
    const said = { userId, itemId: params.item_id, plainText: body.plain_text }
    return created(view(await describe(ctx, { ...said, isFirst: true })))
  },
})

const putDescription = route({
  method: 'PUT',
  url,
  scope: 'write',
  tag,
  summary: 'Describe one’s own item, in other words or for the first time',
  description: checked,
  params,
  permit: permitSeller,
  body,
  answers: { 200: DescriptionAnswer },
  async handle(ctx, { params, body, caller: { userId } }) {
    const said = { userId, itemId: params.item_id, plainText: body.plain_text }
    return ok(view(await describe(ctx, { ...said, isFirst: false })))
  },
})

function view({ plainText, dateCreated, lastUpdated }: Description): object {
  return {
    plain_text: plainText,
    date_created: timestamp(dateCreated),
    last_updated: timestamp(lastUpdated),
  }
}

export const descriptionRoutes: Route[] = [getDescription, postDescription, putDescription]
