import { Type } from 'typebox'
import { baseAddress } from '../http/address.ts'
import { errorBodyOf } from '../http/failure.ts'
import { ok, type Route, route } from '../http/route.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { CommaSeparated, errorBodies } from '../kernel/schema.ts'
import { readItems } from './store-read.ts'
import { ItemAnswer, itemView } from './view.ts'

const tag = 'Items'
const maxIds = 20
const visibility =
  'Public. `seller_sku` and `seller_custom_field` are null unless you send a token of the seller.'

const getItem = route({
  method: 'GET',
  url: '/items/:item_id',
  scope: 'mixed',
  tag,
  summary: 'Get an item',
  description: `Returns an item. Use it to read what a notification of the topic \`items\` names. ${visibility} 404 \`not_found\`: there is no such item.`,
  refuses: { not_found: 'Item not found: MLA600000001' },
  params: Type.Object({ item_id: Type.String() }),
  answers: { 200: ItemAnswer },
  async handle({ reads, config }, { params: { item_id: id }, caller, headers }) {
    const item = (await readItems(reads, [id])).get(id)
    if (!item) throw itemNotFound(id)
    return ok(itemView(item, { reader: caller?.userId, base: baseAddress(config, headers) }))
  },
})

const getItems = route({
  method: 'GET',
  url: '/items',
  scope: 'mixed',
  tag,
  summary: 'Get several items',
  description: `Returns up to ${maxIds} items in the order of \`ids\`, each with its status as \`code\` and its \`body\`. An unknown id has the code 404, and the request does not fail. More than ${maxIds} ids answer 400 \`bad_request\`. ${visibility}`,
  refuses: { bad_request: `ids: expected 1 to ${maxIds} ids of items, with commas between them` },
  query: Type.Object({
    ids: CommaSeparated(2_000, `Ids of up to ${maxIds} items, separated by commas.`),
  }),
  answers: {
    200: Type.Array(
      Type.Union([
        Type.Object({ code: Type.Literal(200), body: ItemAnswer }),
        Type.Object({ code: Type.Literal(404), body: errorBodies.general }),
      ]),
    ),
  },
  async handle({ reads, config }, { query, caller, headers }) {
    const ids = query.ids.split(',').map((id) => id.trim())
    if (ids.length > maxIds || ids.includes('')) {
      throw badField('ids', `1 to ${maxIds} ids of items, with commas between them`)
    }
    const items = await readItems(reads, [...new Set(ids)])
    const viewOptions = { reader: caller?.userId, base: baseAddress(config, headers) }
    return ok(
      ids.map((id) => {
        const item = items.get(id)
        if (item) return { code: 200, body: itemView(item, viewOptions) }
        const failure = itemNotFound(id)
        return { code: failure.status, body: errorBodyOf(failure, 'general') }
      }),
    )
  },
})

export function itemNotFound(id: string): Failure {
  return new Failure('not_found', `Item not found: ${id}`)
}

export const itemRoutes: Route[] = [getItem, getItems]
