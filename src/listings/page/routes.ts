import { Type } from 'typebox'
import { languageOf } from '../../http/pages/language.ts'
import { type Route, route } from '../../http/route.ts'
import { findUser } from '../../identity/store.ts'
import { isRemoved } from '../listing.ts'
import { itemNotFound } from '../routes.ts'
import { findDescription } from '../sell/store-descriptions.ts'
import { readItems } from '../store-read.ts'
import { listingPage, notFoundPage } from './page.ts'

const getListing = route({
  method: 'GET',
  url: '/listings/:item_id',
  scope: 'page',
  tag: 'Items',
  summary: 'Show the page of an item',
  description:
    'Returns an HTML page for people, to which `permalink` of an item leads unless the operator set another address. It is in Spanish, Portuguese or English, as the browser prefers. 404: there is no such item, or it was removed.',
  params: Type.Object({ item_id: Type.String() }),
  answers: { 200: Type.String({ contentMediaType: 'text/html' }) },
  async handle({ reads }, { params: { item_id: itemId }, headers }) {
    const language = languageOf(headers['accept-language'])
    const item = (await readItems(reads, [itemId])).get(itemId)
    if (!item || isRemoved(item)) return notFoundPage(itemNotFound(itemId), language)
    const { sellerId } = item
    const [seller, description] = await Promise.all([
      findUser(reads, sellerId),
      findDescription(reads, { sellerId, itemId }),
    ])
    const nickname = seller?.nickname ?? String(sellerId)
    return listingPage(item, { nickname, description: description?.plainText, language })
  },
})

export const listingPageRoutes: Route[] = [getListing]
