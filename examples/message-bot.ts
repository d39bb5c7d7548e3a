/**
 * Answers what buyers write after a sale, where it knows an answer, and leaves the rest to people: it
 * stays unread. Run it every minute, or when a notification of the topic `messages` arrives.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… node message-bot.ts
 */
import { bodyOf, eachMessage, FeriaFailure, openFeria } from 'feria/client'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const feria = openFeria({ baseUrl, token })

const answers: [asks: RegExp, says: string][] = [
  [/factura|nota fiscal/i, '¡Hola! La factura llega por este medio dentro de las 48 horas.'],
  [/garant[ií]a/i, '¡Hola! La garantía es de 6 meses y la cubre el fabricante.'],
  [
    /cu[aá]ndo llega|demora|env[ií]o/i,
    '¡Hola! Despachamos en el día; el seguimiento está en la compra.',
  ],
]

const unread = await bodyOf(
  feria.GET('/messages/unread', { params: { query: { role: 'seller' } } }),
)
for (const { resource } of unread.results) {
  const [, packId = 0, sellerId = 0] = (
    /^\/packs\/(\d+)\/sellers\/(\d+)$/.exec(resource) ?? []
  ).map(Number)
  const told = await answer({ packId, sellerId })
  console.log(`${resource}: ${told}`)
}

async function answer(talk: { packId: number; sellerId: number }): Promise<string> {
  // Looking does not mark it as read; answering does.
  const { value: newest } = await eachMessage(feria, { ...talk, mark: false }).next()
  if (!newest || newest.from.user_id === talk.sellerId) return 'answered already'
  const text = answers.find(([asks]) => asks.test(newest.text))?.[1]
  if (!text) return 'left to people'
  const path = { pack_id: String(talk.packId), seller_id: String(talk.sellerId) }
  const body = {
    from: { user_id: talk.sellerId },
    to: { user_id: newest.from.user_id },
    text,
  }
  try {
    const asked = { params: { path, query: { tag: 'post_sale' } }, body }
    await bodyOf(feria.POST('/messages/packs/{pack_id}/sellers/{seller_id}', asked))
  } catch (error) {
    // A mediation, say, or a parcel that is not there yet: nothing may be said now.
    if (error instanceof FeriaFailure && error.status === 403) return `not now: ${error.message}`
    throw error
  }
  await eachMessage(feria, talk).next()
  return 'answered'
}
