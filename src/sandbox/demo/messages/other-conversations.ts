import { billingWords } from './billing.ts'
import type { MessageScenario } from './conversation-builder.ts'
import { leaveUntranslated, skipModeration } from './moderation.ts'

/** Conversations on other sites, of old sales, and of sales from abroad, by the name of their scenario. */
export const otherConversations: Readonly<Record<string, MessageScenario>> = {
  'long ago': (talk) =>
    talk
      .opening('Hola. Gracias por tu compra, mañana la llevamos al correo.', {
        moderate: skipModeration,
      })
      .buyer('Bárbaro. ¿Tienen un teléfono por cualquier cosa?', { moderate: skipModeration })
      .seller('Por acá contestamos todos los días.', { moderate: skipModeration })
      .wait(3, 5)
      .buyer('Ya llegó. ¡Gracias!', { moderate: skipModeration }),

  'from abroad': (talk) =>
    talk
      .buyer('Good morning, does it come with a plug for this country?', {
        moderate: leaveUntranslated,
      })
      .buyer('Hola, ¿viene con enchufe de acá?')
      .seller('Hola. Viene con el de origen y un adaptador en la caja.')
      .markRead('buyer'),

  'disputed in Brazil': (talk) =>
    talk
      .after('date_delivered')
      .buyer('Olá, chegou com um risco na lateral. Segue a foto.', { files: ['foto.jpg'] })
      .seller('Olá! Por favor, não abra reclamação, a gente resolve por aqui.')
      .seller('Olá! Sentimos muito. Podemos trocar ou devolver uma parte do valor.')
      .buyer('Prefiro que a plataforma decida.')
      .markRead('seller'),

  'waits for an answer': (talk) =>
    talk
      .after('date_delivered')
      .option('SEND_INVOICE_LINK', 'Hola. La boleta está en https://boletas.feria.example/compra')
      .option('OTHER', 'Hola. ¿Llegó todo bien? Cualquier detalle lo vemos por acá.'),

  transfer: (talk) =>
    talk
      .buyer('Olá, podem mandar a nota para ana.luiza.sp@example.com?')
      .buyer('Olá, como recebo a nota fiscal?')
      .seller('Olá! Segue a nota em anexo.', { files: ['nota-fiscal.pdf'] })
      .markRead('buyer'),

  'pack of four': (talk) =>
    talk
      .opening('Olá! Os quatro pedidos vão na mesma caixa, para chegar tudo de uma vez.')
      .buyer('Ótimo! Um deles é presente: dá para embrulhar separado?')
      .seller('Sim, vai embrulhado e sem preço.')
      .markRead('buyer'),

  'in cash': (talk) =>
    talk
      .buyer('Hola, ya pagué en la tienda. ¿Cuánto tarda en verse?')
      .seller('Hola. Ya aparece acreditado, no hace falta nada más.')
      .buyer('Qué bien, muchas gracias.')
      .markRead('seller'),

  'taxes elsewhere': (talk) =>
    talk
      .template('REQUEST_BILLING_INFO')
      .buyer(`Hola, con gusto: ${billingWords(talk.sale)}.`)
      .seller('Muchas gracias. La factura electrónica va con el paquete.')
      .markRead('buyer'),

  'same day': (talk) =>
    talk
      .beforeShipping()
      .template('DELIVERY_PROMISE', { initial: 12, final: 15 })
      .buyer('Perfecto, estaré en casa.')
      .markRead('seller'),
}
