import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Bounded, Timestamp } from '../../kernel/schema.ts'
import { itemNotFound } from '../routes.ts'
import { itemOwners } from '../store.ts'
import { setItemDescription } from './description-commands.ts'
import { permitSeller } from './routes.ts'
import { type Description, findDescription } from './store-descriptions.ts'

const DescriptionAnswer = Type.Object({
  plain_text: Type.String(),
  date_created: Timestamp,
  last_updated: Timestamp,
})
const url = '/items/:item_id/description'
const tag = 'Items'
const params = Type.Object({ item_id: Type.String() })
const body = Type.Object({ plain_text: Bounded(200_000) })
const rules =
  '`max_description_length` of the category is the maximum length. When the text differs from the stored one, it is saved and a notification of the topic `items` is sent; the same text changes nothing, not even `last_updated`. 400 `validation_error`: the text is blank or too long. 400 `item_closed`: the item is closed. 403 `not_owned_item`: the item is not yours.'

const getDescription = route({
  method: 'GET',
  url,
  scope: 'public',
  tag,
  summary: 'Get the description of an item',
  description:
    'Returns the description that the seller wrote. 404 `not_found`: there is no such item, or it has no description.',
  refuses: { not_found: 'Description not found: MLA600000001' },
  params,
  answers: { 200: DescriptionAnswer },
  async handle({ reads }, { params: { item_id: itemId } }) {
    const owner = await itemOwners.find(reads, itemId)
    if (!owner) throw itemNotFound(itemId)
    const description = await findDescription(reads, { ...owner, itemId })
    if (!description) throw new Failure('not_found', `Description not found: ${itemId}`)
    return ok(view(description))
  },
})

/** The errors of saving a description. */
const refusals = {
  unable_to_list: 'the account is deactivated',
  validation_error: 'plain_text: expected a text that is not blank',
  item_closed: 'MLA600000001 [status:closed, has_bids:true]',
  not_owned_item: '',
  not_found: 'Item not found: MLA600000001',
}

const postDescription = route({
  method: 'POST',
  url,
  scope: 'write',
  tag,
  summary: 'Create the description of an item',
  description: `Adds the description of one of your items that has none yet; one that has a description answers 400 \`validation_error\`, and you replace it with PUT. ${rules} 404 \`not_found\`: there is no such item. 403 \`unable_to_list\`: your account is not registered or was deactivated.`,
  refuses: refusals,
  params,
  permit: permitSeller,
  body,
  answers: { 201: DescriptionAnswer },
  async handle(ctx, { params, body, caller: { userId } }) {
    const input = { userId, itemId: params.item_id, plainText: body.plain_text }
    return created(view(await setItemDescription(ctx, { ...input, isFirst: true })))
  },
})

const putDescription = route({
  method: 'PUT',
  url,
  scope: 'write',
  tag,
  summary: 'Create or replace the description of an item',
  description: `Saves the description of one of your items. ${rules} 404 \`not_found\`: there is no such item. 403 \`unable_to_list\`: your account is not registered or was deactivated.`,
  refuses: refusals,
  params,
  permit: permitSeller,
  body,
  answers: { 200: DescriptionAnswer },
  async handle(ctx, { params, body, caller: { userId } }) {
    const input = { userId, itemId: params.item_id, plainText: body.plain_text }
    return ok(view(await setItemDescription(ctx, { ...input, isFirst: false })))
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
