/**
 * Answers messages of buyers after a sale where it knows an answer. It leaves the others unread for people. Run it every
 * minute, or when a notification of the topic `messages` arrives.
 *
 *   FERIA=https://api.example TOKEN=APP_USR-… node message-bot.ts
 */
import { bodyOf, eachMessage, FeriaFailure, openFeria } from 'feria/client'

const { FERIA: baseUrl = 'http://127.0.0.1:8080', TOKEN: token = '' } = process.env
const feria = openFeria({ baseUrl, token })

const answers: [question: RegExp, answer: string][] = [
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
  const outcome = await answerNewest({ packId, sellerId })
  console.log(`${resource}: ${outcome}`)
}

async function answerNewest(conversation: { packId: number; sellerId: number }): Promise<string> {
  // Read without marking as read, which only an answer does.
  const { value: newest } = await eachMessage(feria, { ...conversation, mark: false }).next()
  if (!newest || newest.from.user_id === conversation.sellerId) return 'answered already'
  const text = answers.find(([question]) => question.test(newest.text))?.[1]
  if (!text) return 'left to people'
  const path = { pack_id: String(conversation.packId), seller_id: String(conversation.sellerId) }
  const body = {
    from: { user_id: conversation.sellerId },
    to: { user_id: newest.from.user_id },
    text,
  }
  try {
    const request = { params: { path, query: { tag: 'post_sale' } }, body }
    await bodyOf(feria.POST('/messages/packs/{pack_id}/sellers/{seller_id}', request))
  } catch (error) {
    // Writing may be blocked at the moment, for example during a mediation or before the delivery.
    if (error instanceof FeriaFailure && error.status === 403) return `not now: ${error.message}`
    throw error
  }
  await eachMessage(feria, conversation).next()
  return 'answered'
}
