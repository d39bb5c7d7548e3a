import { hourMs } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import { sites } from '../../../kernel/sites.ts'
import { isBoundToGuide, untouched } from '../../../messages/conversation.ts'
import { offeredOptions } from '../../../messages/guide/options.ts'
import type { Viewpoint } from '../../../messages/sale.ts'
import { drawn, drawOf } from '../random.ts'
import { billingWords } from './billing.ts'
import type { MessageThread } from './talk.ts'

/** Conversations of drawn sales. */

/** Picks the text in the language of the site. */
type Words = (es: string, pt: string) => string

interface Script {
  weight: number
  /** Before the dispatch, after the delivery, or at any time. */
  when: 'before' | 'after' | 'any'
  /** The option of the action guide that it begins with. */
  begins?: GuideOption
  /** The author of the last message, which the other party may not have read. */
  last: Viewpoint
  tell: (talk: MessageThread, words: Words) => MessageThread
}

const buyerName = (talk: MessageThread) => talk.sale.buyer.user.firstName ?? ''
const itemTitle = (talk: MessageThread) => talk.sale.orders[0]?.items[0]?.item.title ?? ''

const scripts: readonly Script[] = [
  {
    weight: 8,
    when: 'before',
    last: 'buyer',
    tell: (talk, words) =>
      talk
        .buyer(words('Hola, ¿cuándo sale el pedido?', 'Olá, quando sai o pedido?'))
        .seller(
          words(`Hola, ${buyerName(talk)}. Sale mañana.`, `Olá, ${buyerName(talk)}. Sai amanhã.`),
        )
        .buyer(words('Genial, gracias.', 'Ótimo, valeu!')),
  },
  {
    weight: 6,
    when: 'before',
    begins: 'REQUEST_VARIANTS',
    last: 'seller',
    tell: (talk, words) =>
      talk
        .template('REQUEST_VARIANTS')
        .buyer(
          words('El más oscuro que tengan, por favor.', 'O mais escuro que tiverem, por favor.'),
        )
        .seller(words('Queda apartado. ¡Gracias!', 'Fica separado!')),
  },
  {
    weight: 5,
    when: 'before',
    begins: 'REQUEST_BILLING_INFO',
    last: 'seller',
    tell: (talk) =>
      talk
        .template('REQUEST_BILLING_INFO')
        .buyer(`Hola, los datos son: ${billingWords(talk.sale)}.`)
        .seller('Gracias, la factura va con el paquete.'),
  },
  {
    weight: 4,
    when: 'before',
    begins: 'DELIVERY_PROMISE',
    last: 'seller',
    tell: (talk) => {
      const initial = talk.random.between(9, 15)
      return talk.template('DELIVERY_PROMISE', { initial, final: initial + 3 })
    },
  },
  {
    weight: 5,
    when: 'before',
    begins: 'OTHER',
    last: 'seller',
    tell: (talk, words) =>
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
    when: 'any',
    begins: 'SEND_INVOICE_LINK',
    last: 'seller',
    tell: (talk, words) =>
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
    when: 'before',
    last: 'buyer',
    tell: (talk, words) =>
      talk
        .buyer(words('¿Se puede cambiar por uno más grande?', 'Dá para trocar por um maior?'))
        .seller(words('Solo queda este tamaño, disculpe.', 'Só temos este tamanho, desculpe.'))
        .buyer(words('Entonces dejo el que compré.', 'Então fico com o que comprei.')),
  },
  {
    weight: 5,
    when: 'any',
    last: 'seller',
    tell: (talk, words) =>
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
    when: 'after',
    last: 'seller',
    tell: (talk, words) =>
      talk
        .buyer(words('Ya llegó, todo perfecto. ¡Gracias!', 'Já chegou, tudo perfeito!'))
        .seller(words('¡Que lo disfrute!', 'Bom proveito!')),
  },
  {
    weight: 4,
    when: 'after',
    last: 'buyer',
    tell: (talk, words) =>
      talk
        .buyer(words('No encuentro el manual.', 'Não encontro o manual.'))
        .seller(
          words('Está debajo del cartón del fondo.', 'Está embaixo do papelão, no fundo da caixa.'),
        )
        .buyer(words('Ahí estaba 😅 Gracias.', 'Estava lá 😅 Valeu.')),
  },
  {
    weight: 4,
    when: 'after',
    last: 'buyer',
    tell: (talk, words) =>
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
    when: 'after',
    last: 'seller',
    tell: (talk, words) =>
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
    when: 'after',
    last: 'seller',
    tell: (talk, words) =>
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
    when: 'any',
    last: 'seller',
    tell: (talk, words) => {
      const { email } = talk.sale.buyer.user
      return talk
        .buyer(words(`Mi correo es ${email}, ¿me escriben?`, `Meu e-mail é ${email}, me escrevem?`))
        .buyer(words('¿Me responden por aquí?', 'Respondem por aqui?'))
        .seller(words('Sí, por aquí contestamos siempre.', 'Sim, por aqui respondemos sempre.'))
    },
  },
]

/** Adds the messages of a script that suits the sale. */
export function usually(talk: MessageThread): void {
  const { subject, random, sale } = talk
  const hasArrived = sale.shipment?.history.date_delivered !== undefined
  const isBound = isBoundToGuide({ sale: subject, thread: untouched })
  const options = isBound ? offeredOptions(subject) : []
  const suitable = scripts.filter(({ when, begins }) => {
    if (begins && !options.includes(begins)) return false
    if (begins === 'DELIVERY_PROMISE' && !canPromise(talk)) return false
    return when === 'any' || (when === 'after') === hasArrived
  })
  const script = drawn(drawOf(suitable), random)
  if (script.when === 'before') talk.beforeShipping()
  if (script.when === 'after') talk.after('date_delivered')
  const { language } = sites[sale.seller.site]
  script.tell(talk, (es, pt) => (language === 'pt' ? pt : es))
  if (random.chance(0.8)) talk.read(script.last === 'seller' ? 'buyer' : 'seller')
}

/** Returns whether the promised day is far enough away for a first message before it. */
function canPromise({ subject, span }: MessageThread): boolean {
  const promised = subject.shipment?.promisedAt
  return !!promised && !!span && Number(promised) - Number(span.from) > 12 * hourMs
}
