import { hourMs } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import { sites } from '../../../kernel/sites.ts'
import { emptyConversation, isBoundToGuide } from '../../../messages/conversation.ts'
import { offeredOptions } from '../../../messages/option-rules.ts'
import type { ConversationParty } from '../../../messages/sale.ts'
import { pickWeighted, weightedListOf } from '../random.ts'
import { billingWords } from './billing.ts'
import type { ConversationBuilder } from './conversation-builder.ts'

/** Conversations of drawn sales. */

/** Picks the text in the language of the site. */
type PickText = (es: string, pt: string) => string

interface ConversationScript {
  weight: number
  /** Before the dispatch, after the delivery, or at any time. */
  timing: 'before' | 'after' | 'any'
  /** The option of the action guide that it begins with. */
  firstOption?: GuideOption
  /** The author of the last message, which the other party may not have read. */
  lastAuthor: ConversationParty
  write: (talk: ConversationBuilder, words: PickText) => ConversationBuilder
}

const buyerName = (talk: ConversationBuilder) => talk.sale.buyer.user.firstName ?? ''
const itemTitle = (talk: ConversationBuilder) => talk.sale.orders[0]?.items[0]?.item.title ?? ''

const scripts: readonly ConversationScript[] = [
  {
    weight: 8,
    timing: 'before',
    lastAuthor: 'buyer',
    write: (talk, words) =>
      talk
        .buyer(words('Hola, ¿cuándo sale el pedido?', 'Olá, quando sai o pedido?'))
        .seller(
          words(`Hola, ${buyerName(talk)}. Sale mañana.`, `Olá, ${buyerName(talk)}. Sai amanhã.`),
        )
        .buyer(words('Genial, gracias.', 'Ótimo, valeu!')),
  },
  {
    weight: 6,
    timing: 'before',
    firstOption: 'REQUEST_VARIANTS',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk
        .template('REQUEST_VARIANTS')
        .buyer(
          words('El más oscuro que tengan, por favor.', 'O mais escuro que tiverem, por favor.'),
        )
        .seller(words('Queda apartado. ¡Gracias!', 'Fica separado!')),
  },
  {
    weight: 5,
    timing: 'before',
    firstOption: 'REQUEST_BILLING_INFO',
    lastAuthor: 'seller',
    write: (talk) =>
      talk
        .template('REQUEST_BILLING_INFO')
        .buyer(`Hola, los datos son: ${billingWords(talk.sale)}.`)
        .seller('Gracias, la factura va con el paquete.'),
  },
  {
    weight: 4,
    timing: 'before',
    firstOption: 'DELIVERY_PROMISE',
    lastAuthor: 'seller',
    write: (talk) => {
      const initial = talk.random.between(9, 15)
      return talk.template('DELIVERY_PROMISE', { initial, final: initial + 3 })
    },
  },
  {
    weight: 5,
    timing: 'before',
    firstOption: 'OTHER',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk.option(
        'OTHER',
        words(
          `Hola, ${buyerName(talk)}. Gracias por la compra: el paquete sale hoy por la tarde.`,
          `Olá, ${buyerName(talk)}. Agradecemos a compra: o pacote sai hoje à tarde.`,
        ),
      ),
  },
  {
    weight: 4,
    timing: 'any',
    firstOption: 'SEND_INVOICE_LINK',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk.option(
        'SEND_INVOICE_LINK',
        words(
          `Hola. La factura está en https://facturas.feria.example/${talk.subject.packId}`,
          `Olá. A nota fiscal está em https://notas.feria.example/${talk.subject.packId}`,
        ),
      ),
  },
  {
    weight: 5,
    timing: 'before',
    lastAuthor: 'buyer',
    write: (talk, words) =>
      talk
        .buyer(words('¿Se puede cambiar por uno más grande?', 'Dá para trocar por um maior?'))
        .seller(words('Solo queda este tamaño, disculpe.', 'Só temos este tamanho, desculpe.'))
        .buyer(words('Entonces dejo el que compré.', 'Então fico com o que comprei.')),
  },
  {
    weight: 5,
    timing: 'any',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk
        .buyer(
          words(
            `${itemTitle(talk)}: ¿es igual al de la foto?`,
            `${itemTitle(talk)}: é igual ao da foto?`,
          ),
        )
        .seller(words('Sí, es exactamente el de la foto.', 'Sim, é exatamente o da foto.')),
  },
  {
    weight: 12,
    timing: 'after',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk
        .buyer(words('Ya llegó, todo perfecto. ¡Gracias!', 'Já chegou, tudo perfeito!'))
        .seller(words('¡Que lo disfrute!', 'Bom proveito!')),
  },
  {
    weight: 4,
    timing: 'after',
    lastAuthor: 'buyer',
    write: (talk, words) =>
      talk
        .buyer(words('No encuentro el manual.', 'Não encontro o manual.'))
        .seller(
          words('Está debajo del cartón del fondo.', 'Está embaixo do papelão, no fundo da caixa.'),
        )
        .buyer(words('Ahí estaba 😅 Gracias.', 'Estava lá 😅 Valeu.')),
  },
  {
    weight: 4,
    timing: 'after',
    lastAuthor: 'buyer',
    write: (talk, words) =>
      talk
        .buyer(
          words(
            'La caja llegó golpeada, pero adentro está todo bien.',
            'A caixa chegou amassada, mas por dentro está tudo certo.',
          ),
        )
        .seller(
          words(
            'Gracias por avisar, lo hablamos con el correo.',
            'Agradecemos o aviso, vamos falar com a transportadora.',
          ),
        )
        .buyer(words('De nada.', 'De nada.')),
  },
  {
    weight: 4,
    timing: 'after',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk
        .buyer(words('¿Cómo hago valer la garantía?', 'Como uso a garantia?'))
        .seller(
          words(
            'Alcanza con guardar la factura que vino en la caja.',
            'Basta guardar a nota fiscal que veio na caixa.',
          ),
        ),
  },
  {
    weight: 3,
    timing: 'after',
    lastAuthor: 'seller',
    write: (talk, words) =>
      talk
        .buyer(words('Me quedó chico, ¿hay cambio?', 'Ficou pequeno, dá para trocar?'))
        .seller(
          words(
            'Sí: el cambio se pide desde sus compras y le llega la etiqueta.',
            'Sim: a troca se pede em suas compras e a etiqueta chega por lá.',
          ),
        ),
  },
  {
    weight: 2,
    timing: 'any',
    lastAuthor: 'seller',
    write: (talk, words) => {
      const { email } = talk.sale.buyer.user
      return talk
        .buyer(words(`Mi correo es ${email}, ¿me escriben?`, `Meu e-mail é ${email}, me escrevem?`))
        .buyer(words('¿Me responden por aquí?', 'Respondem por aqui?'))
        .seller(words('Sí, por aquí contestamos siempre.', 'Sim, por aqui respondemos sempre.'))
    },
  },
]

/** Adds the messages of a script that suits the sale. */
export function addUsualMessages(talk: ConversationBuilder): void {
  const { subject, random, sale } = talk
  const hasArrived = sale.shipment?.history.date_delivered !== undefined
  const isBound = isBoundToGuide({ sale: subject, thread: emptyConversation })
  const options = isBound ? offeredOptions(subject) : []
  const suitable = scripts.filter(({ timing, firstOption }) => {
    if (firstOption && !options.includes(firstOption)) return false
    if (firstOption === 'DELIVERY_PROMISE' && !canPromise(talk)) return false
    return timing === 'any' || (timing === 'after') === hasArrived
  })
  const script = pickWeighted(weightedListOf(suitable), random)
  if (script.timing === 'before') talk.beforeShipping()
  if (script.timing === 'after') talk.after('date_delivered')
  const { language } = sites[sale.seller.site]
  script.write(talk, (es, pt) => (language === 'pt' ? pt : es))
  if (random.chance(0.8)) talk.markRead(script.lastAuthor === 'seller' ? 'buyer' : 'seller')
}

/** Returns whether the promised day is far enough away for a first message before it. */
function canPromise({ subject, span }: ConversationBuilder): boolean {
  const promised = subject.shipment?.promisedAt
  return !!promised && !!span && Number(promised) - Number(span.from) > 12 * hourMs
}
