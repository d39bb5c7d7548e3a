import { billingWords } from './billing.ts'
import type { MessageScenario } from './conversation-builder.ts'
import { rejectAsCopy, rejectFor } from './moderation.ts'

/**
 * Conversations of the demo seller and buyer by the name of their scenario, in Spanish. All of it is invented, including
 * phone numbers and addresses.
 */
export const namedConversations: Readonly<Record<string, MessageScenario>> = {
  'paid, main listing': (talk) =>
    talk
      .template('REQUEST_BILLING_INFO')
      .buyer(`¡Hola! Paso los datos: ${billingWords(talk.sale)}. ¿Cuándo sale?`)
      .seller('¡Gracias, Valentina! Acá va la factura. La pava sale con la colecta de la tarde.', {
        files: ['factura.pdf'],
        subject: 'Tu factura',
      })
      .seller('Si a la hora de la entrega no hay nadie, avisanos al 11 5555-0142.')
      .seller('Si a la hora de la entrega no hay nadie, decinos por acá y lo cambiamos de día.')
      .buyer(
        'Perfecto, va a haber alguien. Una duda: ¿la base gira, o va fija como la de la foto?',
        {
          files: ['foto.jpg'],
        },
      ),

  flex: (talk) => talk.template('DELIVERY_PROMISE', { initial: 16, final: 20 }),

  pack: (talk) =>
    talk
      .after('date_shipped')
      .option('OTHER', 'Hola. Tus dos compras viajan juntas en una sola caja: llegan el mismo día.')
      .buyer('¡Buenísimo! ¿Cada una viene con su garantía?')
      .seller('Sí, los dos comprobantes van dentro de la caja, arriba de todo.')
      .markRead('buyer')
      .after('date_delivered')
      .buyer('Llegaron las dos cosas, todo perfecto. Muchas gracias 🙌')
      .seller('¡Gracias a vos! Que las disfrutes.'),

  delivered: (talk) =>
    talk
      .beforeShipping()
      .template('REQUEST_VARIANTS')
      .buyer('Hola, el que está en la publicación me sirve. Si hay varios colores, el más oscuro.')
      .seller('Queda apartado el más oscuro. Lo llevamos hoy al correo.')
      .markRead('buyer'),

  regretted: (talk) =>
    talk
      .buyer('Hola, me equivoqué de producto. ¿Llego a cancelar antes de que salga?')
      .seller('Hola. Sí, todavía no salió: cancelala desde tus compras y el dinero vuelve solo.')
      .buyer('Listo, ya está. Disculpen la molestia.')
      .markRead('seller'),

  'made to order': (talk) =>
    talk
      .seller('Hola. Antes de empezar: ¿nos confirmás cómo lo querés? Con un dibujo alcanza.')
      .buyer('Va el dibujo con las medidas del lugar. Lo demás, como en la publicación.', {
        files: ['plano.png', 'timbre.txt'],
      })
      .seller('Recibido, con eso ya podemos cortar la madera. Te avisamos cuando esté.')
      .markRead('buyer')
      .buyer('Gracias. No hay apuro, prefiero que quede bien.')
      .markRead('seller'),

  'drop-off point': (talk) =>
    talk
      .opening('Hola. ¿Te sumamos otra unidad con descuento antes de despachar?')
      .buyer('No, gracias, con lo que compré me alcanza.')
      .seller('Mirá que es el último día de ese precio.')
      .seller('¿Y si te bonificamos el envío?')
      .markRead('buyer')
      .block('blocked_by_buyer'),

  'shared transport': (talk) =>
    talk
      .buyer('¿Me pueden hacer el comprobante por un importe más alto?')
      .seller('No, la factura sale por lo que pagaste.')
      .buyer('Bueno, igual lo voy a seguir pidiendo hasta que me lo hagan.')
      .block('blocked_by_restrictions'),

  'claim settled': (talk) =>
    talk
      .after('date_delivered')
      .buyer('Hola, llegó con una pieza rajada. Adjunto una foto.', { files: ['foto.jpg'] })
      .seller('¡Qué macana! Te mandamos otra hoy mismo, pero primero cerrá el reclamo.')
      .seller('¡Qué macana! La pieza nueva sale hoy por correo, sin costo para vos.')
      .wait(2, 4)
      .buyer('Llegó la pieza y quedó como nuevo. Gracias por responder.')
      .markRead('seller'),

  'rated badly, replied': (talk) =>
    talk
      .after('date_delivered')
      .buyer('Hace tres días que espero que me digan cómo se cambia.')
      .wait(1, 2)
      .buyer('Nadie contesta. Son unos inútiles, no compro nunca más.')
      .seller('Hola, perdón por la demora. El cambio se pide desde tus compras; ya lo habilitamos.')
      .markRead('buyer'),

  'second hand': (talk) =>
    talk
      .buyer('Hola, ¿tiene algún golpe que no se vea en las fotos?')
      .seller('Hay más fotos en instagram.com/usados.del.sur, ahí se ve todo.')
      .seller('Tiene un roce de un lado, lo ves en la foto. De lo demás está impecable.', {
        files: ['foto.jpg'],
      })
      .buyer('Ah, no es nada. Gracias por avisar.')
      .markRead('seller'),

  campaign: (talk) =>
    talk
      .buyer('¿El precio de la campaña vale si agrego otro color?')
      .seller('Sí, están todos en https://bit.ly/3los-colores')
      .seller('Sí, hasta el domingo. Están todos en la misma publicación.')
      .markRead('buyer'),

  'payment link': (talk) =>
    talk
      .buyer('¿Tengo que pagar algo más cuando llegue?')
      .seller('La diferencia del envío se paga en https://pay.feria.example/diferencia-envio')
      .seller('No, nada más: el envío ya está incluido en lo que pagaste.')
      .markRead('buyer'),

  'agreed and handed over': (talk) =>
    talk
      .seller(
        'Hola. Podés pasar a buscarlo de lunes a viernes de 10 a 18, o el sábado a la mañana.',
      )
      .buyer('El sábado me queda bien. ¿Hay que llevar algo?')
      .seller('Si pagás la próxima por paypal.me/lo.del.sur te hacemos precio.')
      .seller('Solo el número de la compra. ¡Te esperamos!')
      .markRead('buyer'),

  'own shop': (talk) =>
    talk.opening(
      'Hola. Gracias por comprar en nuestra tienda. Tu pedido ya está en preparación y te ' +
        'avisaremos por este medio en cuanto haya novedades. Este es un mensaje automático.',
      { moderate: rejectAsCopy },
    ),

  engraved: (talk) =>
    talk
      .buyer('Para el grabado, tal cual: @mili.y.santi, con la fecha abajo.')
      .overrule()
      .seller('Anotado: el nombre con arroba y la fecha abajo, en letra cursiva.')
      .markRead('buyer')
      .buyer('¡Exacto! Gracias.'),

  'several lines': (talk) =>
    talk
      .buyer('Si no llega mañana voy a ir a buscarlos uno por uno.', {
        moderate: rejectFor('OUT_OF_PLACE_LANGUAGE'),
      })
      .buyer('Son varias cosas: ¿vienen en una caja o en varias?')
      .seller('En una sola, con todo bien separado.')
      .markRead('buyer'),

  fraud: (talk) =>
    talk
      .buyer('Necesito que lo manden hoy a otra dirección, no a la que figura.')
      .seller('No podemos: los envíos van solo a la dirección de la compra.')
      .markRead('buyer'),

  'lost dispute': (talk) =>
    talk
      .after('date_shipped')
      .wait(2, 3)
      .buyer('¿Saben algo del paquete? El seguimiento está quieto desde el lunes.')
      .seller('Ya le preguntamos al correo. Apenas contesten te contamos.')
      .wait(1, 2)
      .buyer('Sigue igual. Voy a pedir que me devuelvan el dinero.')
      .markRead('seller'),

  'claim of the buyer': (talk) =>
    talk
      .after('date_delivered')
      .buyer('Hola, no es el que aparece en la foto. Abrí un reclamo para devolverlo.', {
        files: ['foto.jpg', 'configurar.bat'],
      })
      .markRead('seller'),

  'account closed since': (talk) =>
    talk
      .buyer('Hola, ¿lo puedo retirar en la sucursal en vez de recibirlo?')
      .seller('Hola. Sí, elegí la sucursal desde el seguimiento y ahí te lo guardan cinco días.')
      .buyer('¡Genial, gracias!'),
}
