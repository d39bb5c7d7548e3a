import { Type } from 'typebox'
import { baseAddress } from '../http/address.ts'
import { bodyOf } from '../http/failure.ts'
import { ok, type Route, route } from '../http/route.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { CommaSeparated, errorBodies } from '../kernel/schema.ts'
import { readItems } from './store-read.ts'
import { ItemAnswer, itemView } from './view.ts'

const tag = 'Items'
const mostAtOnce = 20
const sees =
  'Anybody reads it; its `seller_sku` and `seller_custom_field` are told with a token of its seller only.'

const getItem = route({
  method: 'GET',
  url: '/items/:item_id',
  scope: 'mixed',
  tag,
  summary: 'One item',
  description: `Contract 6.2: what notifications on the topic items name. ${sees}`,
  params: Type.Object({ item_id: Type.String() }),
  answers: { 200: ItemAnswer },
  async handle({ reads, config }, { params: { item_id: id }, caller, headers }) {
    const item = (await readItems(reads, [id])).get(id)
    if (!item) throw noItem(id)
    return ok(itemView(item, { reader: caller?.userId, base: baseAddress(config, headers) }))
  },
})

const getItems = route({
  method: 'GET',
  url: '/items',
  scope: 'mixed',
  tag,
  summary: `Up to ${mostAtOnce} items at once`,
  description: `Wire 6. In the order of \`ids\`, each as its own answer would be: its status and its body. ${sees}`,
  query: Type.Object({ ids: CommaSeparated(2_000) }),
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
    if (ids.length > mostAtOnce || ids.includes('')) {
      throw badField('ids', `1 to ${mostAtOnce} ids of items, with commas between them`)
    }
    const found = await readItems(reads, [...new Set(ids)])
    const viewOptions = { reader: caller?.userId, base: baseAddress(config, headers) }
    return ok(
      ids.map((id) => {
        const item = found.get(id)
        if (item) return { code: 200, body: itemView(item, viewOptions) }
        const failure = noItem(id)
        return { code: failure.status, body: bodyOf(failure, 'general') }
      }),
    )
  },
})

export function noItem(id: string): Failure {
  return new Failure('not_found', `Item not found: ${id}`)
}

export const itemRoutes: Route[] = [getItem, getItems]
