import type { FeedbackRole, RatingBody } from '../../feedback/feedback.ts'
import { dayMs, hourMs } from '../../kernel/clock.ts'
import { sites } from '../../kernel/sites.ts'
import type { DemoSale } from './sale.ts'

/** Ratings of demo sales, with messages in Spanish and in Portuguese. */

type Rating = RatingBody['rating']

const messages: Record<
  FeedbackRole,
  Record<Rating, { es: readonly string[]; pt: readonly string[] }>
> = {
  purchase: {
    positive: {
      es: ['Llegó antes de lo esperado, todo perfecto.', 'Tal cual la publicación. Recomendable.'],
      pt: ['Chegou antes do prazo, tudo perfeito.', 'Igual ao anúncio. Recomendo.'],
    },
    neutral: {
      es: ['El producto está bien, el envío tardó.', 'Cumple, pero la caja llegó golpeada.'],
      pt: ['O produto é bom, a entrega demorou.', 'Atende, mas a caixa chegou amassada.'],
    },
    negative: {
      es: ['No era lo que esperaba.', 'Tuve que reclamar para que me respondieran.'],
      pt: ['Não era o que eu esperava.', 'Tive que reclamar para ter resposta.'],
    },
  },
  sale: {
    positive: {
      es: ['Pagó enseguida, un placer.', 'Excelente comprador.'],
      pt: ['Pagou na hora, um prazer.', 'Excelente comprador.'],
    },
    neutral: {
      es: ['Todo bien, aunque costó coordinar.'],
      pt: ['Tudo certo, mas foi difícil combinar.'],
    },
    negative: {
      es: ['No pudimos concretar la venta.'],
      pt: ['Não foi possível concluir a venda.'],
    },
  },
}

const saleLanguageOf = (sale: DemoSale): 'es' | 'pt' => sites[sale.seller.site].language

function ratingOf(sale: DemoSale, role: FeedbackRole, rating: Rating): RatingBody {
  const message = sale.random.pick(messages[role][rating][saleLanguageOf(sale)])
  return { fulfilled: true, rating, message, ...(role === 'sale' ? { restock_item: false } : {}) }
}

/** Adds a rating by a party some hours later. */
export function addRating(sale: DemoSale, role: FeedbackRole, rating: Rating = 'positive'): void {
  const content = ratingOf(sale, role, rating)
  sale.afterDelay(hourMs, dayMs, (at) => sale.rate(at, role, content))
}

/** Adds the rating of an unfulfilled sale with its reason. A seller restocks the item. */
export function addUnfulfilledRating(sale: DemoSale, role: FeedbackRole, reason: string): void {
  const content = { ...ratingOf(sale, role, 'negative'), fulfilled: false, reason }
  const restock = role === 'sale' ? { restock_item: true } : {}
  sale.afterDelay(hourMs, dayMs, (at) => sale.rate(at, role, { ...content, ...restock }))
}

/** Changes a rating to a positive one. */
export function improveRating(sale: DemoSale, role: FeedbackRole): void {
  const { message } = ratingOf(sale, role, 'positive')
  sale.afterDelay(hourMs, 2 * dayMs, (at) =>
    sale.changeRating(at, role, { rating: 'positive', message }),
  )
}

const answers = {
  es: 'Gracias por tu opinión, lo revisamos con el correo.',
  pt: 'Obrigado pela opinião, vamos verificar com a transportadora.',
}

/** Adds the reply of the rated party. */
export function addReply(sale: DemoSale, role: FeedbackRole): void {
  sale.afterDelay(hourMs, 5 * dayMs, (at) => sale.reply(at, role, answers[saleLanguageOf(sale)]))
}
