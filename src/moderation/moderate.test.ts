import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLabeledMessages } from '../../bench/moderation/labelled.ts'
import { contract } from '../../test/harness/contract.ts'
import type { ModerationContext } from './decision.ts'
import { matchRules, moderate } from './moderate.ts'
import type { ModerationReason } from './reason.ts'
import { noTerms } from './terms.ts'

const context: ModerationContext = {
  siteId: 'MLA',
  writer: 'seller',
  terms: noTerms,
  billingAsked: false,
}

/** What is found, as its reason and the very words. */
function found(text: string, more: Partial<ModerationContext> = {}): string {
  const finding = moderate(text, { ...context, ...more })
  return finding ? `${finding.reason}: ${text.slice(finding.from, finding.to)}` : 'clean'
}

type Case = [text: string, cause: string, more?: Partial<ModerationContext>]

const br: Partial<ModerationContext> = { siteId: 'MLB' }
const refused: Partial<Record<ModerationReason, Case[]>> = {
  OUT_OF_PLACE_LANGUAGE: [
    ['Sos un pelotudo, mandaste otra cosa', 'pelotudo'],
    ['Es una MIERDA de producto', 'MIERDA'],
    ['seu idiota, leia o anúncio', 'idiota', br],
    ['Filho da puta, cadê?', 'Filho da puta', br],
    ['te voy a romper la cara', 'te voy a romper la cara'],
    ['vou quebrar a sua cara', 'vou quebrar a sua cara', br],
  ],
  SOCIAL_NETWORK_LINK: [
    ['Más fotos en https://www.instagram.com/tienda/ hoy', 'https://www.instagram.com/tienda/'],
    ['Escribime por WhatsApp', 'Escribime por WhatsApp'],
    ['seguinos: @tienda_prueba.', '@tienda_prueba'],
    ['Me chama no zap', 'Me chama no zap', br],
  ],
  LINK_SHORT_URL: [
    ['La factura: https://bit.ly/3xYz, gracias', 'https://bit.ly/3xYz'],
    ['A nota está em encurtador.com.br/abC1 (PDF)', 'encurtador.com.br/abC1', br],
    ['mirá rebrandly.com/x', 'rebrandly.com/x'],
  ],
  PERSONAL_DATA: [
    ['Mi mail es ana.prueba@gmail.com, saludos', 'ana.prueba@gmail.com'],
    ['llamame al 11 5555-1234 a la tarde', '11 5555-1234'],
    ['Meu celular é (11) 98765-4321', '(11) 98765-4321', br],
    ['Mi DNI es 30.123.456', '30.123.456'],
    ['mi dirección es Av. Santa Fe 2345', 'dirección es Av. Santa Fe 2345'],
    ['cpf 529.982.247-25', '529.982.247-25', br],
  ],
  LINK_PLATFORMPAY: [
    ['Pagá acá: https://pay.feria.example/l/1', 'https://pay.feria.example/l/1'],
    ['pague em pay.feria.example/br', 'pay.feria.example/br', br],
  ],
  PLATFORM_LINKS_EXTERNALPAY: [
    ['Link: https://www.paypal.com/paypalme/x', 'https://www.paypal.com/paypalme/x'],
    ['el número es 2850590940090418135201', '2850590940090418135201'],
    ['transferime la diferencia', 'transferime'],
    ['chave pix: 11987654321', 'chave pix', br],
  ],
  EVASION_CLAIM_SELLER: [
    ['Por favor no abras un reclamo', 'no abras un reclamo'],
    ['¿Podrías cerrar el reclamo?', 'cerrar el reclamo'],
    ['Antes de abrir un reclamo escribinos', 'Antes de abrir un reclamo'],
    ['não abra reclamação, por favor', 'não abra reclamação', br],
    ['encerre a reclamação que eu devolvo', 'encerre a reclamação', br],
  ],
}

for (const [reason, cases] of Object.entries(refused)) {
  contract('2.10', `${reason} is found in both languages, and the span is what caused it`, () => {
    for (const [text, cause, more] of cases) {
      assert.equal(found(text, more), `${reason}: ${cause}`, text)
    }
  })
}

contract(
  ['3.2', 'messages'],
  'the shorteners that have to be known are, and others that are common',
  () => {
    const named = ['bit.ly', 'bl.ink', 'polr.me', 'rebrand.ly', 't2m.io', 'tinyurl.com', 'zpr.io']
    const usual = ['yourls.org', 'is.gd', 'cutt.ly', 't.ly', 'goo.gl', 'ow.ly', 'rb.gy', 'n9.cl']
    for (const domain of [...named, ...usual]) {
      const link = `https://${domain}/3xYz`
      assert.equal(found(`La factura está en ${link} desde hoy`), `LINK_SHORT_URL: ${link}`)
    }
  },
)

contract('2.10', 'tricks with spaces, signs, letters and digits do not hide anything', () => {
  const cases: [text: string, expected: string, more?: Partial<ModerationContext>][] = [
    ['escribime a ana arroba g m a i l punto com', 'PERSONAL_DATA: ana arroba g m a i l punto com'],
    ['ana (arroba) gmail (punto) com', 'PERSONAL_DATA: ana (arroba) gmail (punto) com'],
    ['bit . ly / envio', 'LINK_SHORT_URL: bit . ly / envio'],
    [
      'wh\u200bats\u00adapp: escribime al w\u200bhatsapp',
      'SOCIAL_NETWORK_LINK: escribime al w\u200bhatsapp',
    ],
    ['w h a t s a p p', 'SOCIAL_NETWORK_LINK: w h a t s a p p'],
    ['esto es una m13rd4', 'OUT_OF_PLACE_LANGUAGE: m13rd4'],
    ['qué m*erda', 'OUT_OF_PLACE_LANGUAGE: m*erda'],
    ['p-u-t-o', 'OUT_OF_PLACE_LANGUAGE: p-u-t-o'],
    ['mieeeerda', 'OUT_OF_PLACE_LANGUAGE: mieeeerda'],
    ['ｐｕｔｏ', 'OUT_OF_PLACE_LANGUAGE: ｐｕｔｏ'],
    ['рutо el que lee', 'OUT_OF_PLACE_LANGUAGE: рutо'],
    ['tel 1️⃣1️⃣ 5️⃣5️⃣5️⃣5️⃣ 1️⃣2️⃣3️⃣4️⃣', 'PERSONAL_DATA: 1️⃣1️⃣ 5️⃣5️⃣5️⃣5️⃣ 1️⃣2️⃣3️⃣4️⃣'],
    [
      'cel: uno uno cinco cinco 5 5 uno dos tres cuatro',
      'PERSONAL_DATA: uno uno cinco cinco 5 5 uno dos tres cuatro',
    ],
    [
      'mi número: once cincuenta y cinco cincuenta y cinco doce treinta y cuatro',
      'PERSONAL_DATA: once cincuenta y cinco cincuenta y cinco doce treinta y cuatro',
    ],
    ['11 5555 l234', 'PERSONAL_DATA: 11 5555 l234'],
    ['las medidas están en\nbit\n.ly\n/talle40', 'LINK_SHORT_URL: bit\n.ly\n/talle40'],
    ['olhe aqui: b i t . l y / pazinha', 'LINK_SHORT_URL: b i t . l y / pazinha', br],
    [
      'entrá a\np a y . f e r i a .\ne x a m p l e / k7',
      'LINK_PLATFORMPAY: p a y . f e r i a .\ne x a m p l e / k7',
    ],
    ['poné httpspay.feria.example/k7', 'LINK_PLATFORMPAY: httpspay.feria.example/k7'],
    ['es p@y.feria.example/k7, con la a', 'LINK_PLATFORMPAY: p@y.feria.example'],
  ]
  for (const [text, expected, more] of cases) assert.equal(found(text, more), expected)
})

contract('2.10', 'ordinary shop talk passes', () => {
  const cases: [text: string, more?: Partial<ModerationContext>][] = [
    ['Mide 120 x 60 x 75 cm y pesa 12,5 kg'],
    ['Son $ 1.155.512,90 en 3 cuotas de $385.170,97'],
    ['Pedido 2000004512345678, seguimiento 360002847719240'],
    ['Código de rastreio AA123456785BR', br],
    ['Chave da NF-e: 35260812345678000195550010000012341000012349', br],
    ['CAE 71234567890123, vence el 22/08/2026'],
    ['Llegó ok.\nMe gusta el color.\nEs lo que pedí'],
    ['Abrimos de 9:00 a 13:00 y de 16:30 a 20:00'],
    ['Talles 35 36 37 38 39 40 41'],
    ['El modelo es SM-A515F, IMEI 356938035643809'],
    ['Seguilo en https://www.feria.example/compras/1 o en www.andreani.com'],
    ['Si tenés un problema podés abrir un reclamo'],
    ['No cierres el reclamo hasta recibirlo'],
    ['El forro es polar y la concha acústica viene aparte'],
    ['O forro da jaqueta e o cabo de pau', br],
    ['El reloj muestra los mensajes de WhatsApp e Instagram'],
    ['El año que viene llega el de piel de durazno'],
    ['Esto es una estafa, quiero mi plata', { writer: 'buyer' }],
    ['¿El cabo mide 1,20 m?', br],
  ]
  for (const [text, more] of cases) assert.equal(found(text, more), 'clean', text)
})

contract('2.10', 'thanks for a purchase pass though they name the shop', () => {
  const thanks = [
    'Gracias por elegir nuestra tienda, ya la preparamos',
    'Hola Inés, muchas gracias por comprar en nuestra tienda',
    'Gracias por su compra en Tienda Los Robles',
    'Le agradecemos la compra realizada en nuestra página',
    'Te escribimos por tu compra en nuestra tienda, sale mañana',
    'Felicitaciones por tu compra en nuestra tienda',
    'Esperamos que vuelvas a comprar en nuestra tienda',
  ]
  const agradecimentos = [
    'Obrigado por comprar na nossa loja!',
    'Olá, agradecemos a sua compra em nossa loja',
    'Muito obrigada pela compra no nosso site, já vai para o correio',
    'Recebemos a sua compra na nossa loja',
    'Parabéns pela compra na nossa loja',
    'Esperamos que volte a comprar na nossa loja',
  ]
  for (const text of thanks) assert.equal(found(text), 'clean', text)
  for (const text of agradecimentos) assert.equal(found(text, br), 'clean', text)
})

contract('2.10', 'who says that payment outside is not accepted offers none', () => {
  const refusals = [
    'No aceptamos pagos por fuera',
    'Te aviso que no hacemos ventas fuera de la plataforma',
    'Por seguridad no recibimos depósitos ni transferencias',
    'No se puede pagar por fuera de la plataforma',
    'Los pagos por fuera no están permitidos',
    'Nunca te vamos a pedir que pagues por fuera',
    'No pagues fuera de la plataforma',
    'Está prohibido cobrar por afuera',
    'Tampoco aceptamos Yape ni Plin',
    'El pago se hace solo por la plataforma',
  ]
  const recusas = [
    'Não aceitamos pagamento por fora da plataforma',
    'Infelizmente não trabalhamos com pagamento fora do site',
    'Não fazemos pix, o pagamento é só pela plataforma',
    'Não posso receber em dinheiro',
    'Não é permitido pagar por fora',
    'Não faça pix para ninguém, é golpe',
    'É proibido pagar por fora da plataforma',
  ]
  for (const text of refusals) assert.equal(found(text), 'clean', text)
  for (const text of recusas) assert.equal(found(text, br), 'clean', text)
  assert.equal(found('No quiero pagar por fuera', { writer: 'buyer' }), 'clean')
})

contract('2.10', 'neither thanks nor a refusal hides an offer beside it', () => {
  const offers: [text: string, more?: Partial<ModerationContext>][] = [
    ['Gracias por tu compra, la próxima comprá en nuestra web y pagás menos'],
    ['Tenés 10 % de descuento en tu próxima compra en nuestra web'],
    ['Hacé tu compra en nuestra página y ahorrás'],
    ['Obrigado pela compra! Da próxima vez compre direto no nosso site', br],
    ['Faça sua compra no nosso site com desconto', br],
    ['No aceptamos tarjeta, hacé una transferencia'],
    ['No aceptamos pagos por fuera salvo transferencia al alias tienda.sur'],
    ['No solo aceptamos transferencia, también efectivo'],
    ['No uses la plataforma, pagame por fuera'],
    ['No hay problema en pagar por fuera'],
    ['No te olvides de pagar por transferencia'],
    ['Si no pagás por fuera no te lo mando'],
    ['¿Por qué no hacemos la venta por fuera?'],
    ['¿No aceptás transferencia?', { writer: 'buyer' }],
    ['Não aceitamos cartão, só pix direto na minha chave', br],
    ['Não tem problema pagar por fora', br],
    ['Por que não paga por fora? Fica mais barato', br],
    ['Não pague pela plataforma, pague por fora', br],
    ['Vocês não aceitam pix direto?', { ...br, writer: 'buyer' }],
  ]
  for (const [text, more] of offers) {
    assert.match(found(text, more), /^PLATFORM_LINKS_EXTERNALPAY/, text)
  }
})

contract(
  ['2.9', '2.10'],
  'what a buyer tells for an invoice passes once the seller has asked for it',
  () => {
    const answer = 'Ana Prueba, DNI 30.123.456, Av. San Martín 1234, CP 1406, ana@correo.com.ar'
    const asked = { writer: 'buyer', billingAsked: true } as const
    assert.equal(found(answer, asked), 'clean')
    assert.match(found(answer, { ...asked, billingAsked: false }), /^PERSONAL_DATA/)
    assert.match(found(answer, { ...asked, writer: 'seller' }), /^PERSONAL_DATA/)
    assert.equal(found(`${answer}, tel 11 5555-1234`, asked), 'clean')
    assert.match(found('mi CBU es 2850590940090418135201', asked), /^PLATFORM_LINKS_EXTERNALPAY/)
    assert.match(found(`${answer}, sos un idiota`, asked), /^OUT_OF_PLACE_LANGUAGE/)
  },
)

contract('2.10', 'only a seller evades a claim: a buyer may speak of closing it', () => {
  assert.equal(found('Voy a cerrar el reclamo', { writer: 'buyer' }), 'clean')
  assert.equal(found('No abras un reclamo', { writer: 'buyer' }), 'clean')
})

contract('2.10', 'a disguised address is refused below an allowed domain, too', () => {
  for (const text of [
    'entra a p4y.feria.example/rd/12 y listo',
    'Entre a p a y . f e r i a . e x a m p l e /cd900 y me avisa',
    'entre em p4y.feria.example/x9',
  ]) {
    assert.match(found(text), /^LINK_PLATFORMPAY/, text)
  }
  assert.equal(found('El manual está en ayuda.feria.example/manual'), 'clean')
})

contract('2.10', 'a second number of the same series is a code as the first one is', () => {
  const buyer = { siteId: 'MLM', writer: 'buyer' } as const
  const parts = 'la parte es 8155-5502-33 según el catálogo, la que mandó dice 8155-5502-38'
  assert.equal(found(parts, buyer), 'clean')
})

contract('2.10', 'who warns of a short link by its name may do so', () => {
  const br = { siteId: 'MLB', writer: 'seller' } as const
  assert.equal(found('O SMS com bit.ly sobre a sua encomenda não é nosso, não clica', br), 'clean')
  assert.match(found('Olha a foto: bit.ly/3xKq9', br), /^LINK_SHORT_URL/)
})

contract('2.10', 'a telephone number is known by the rules of its own country', () => {
  assert.equal(found('987 654 321', { siteId: 'MPE' }), 'PERSONAL_DATA: 987 654 321')
  assert.equal(found('300 123 4567', { siteId: 'MCO' }), 'PERSONAL_DATA: 300 123 4567')
  const rulesFor = (siteId: 'MLA' | 'MLU') =>
    matchRules('099 999 999', { siteId, writer: 'seller', terms: noTerms, billingAsked: false })
      .rules
  assert.ok(rulesFor('MLU').has('contact.phone'))
  assert.ok(!rulesFor('MLA').has('contact.phone'))
})

contract(
  '2.10',
  'of several offences the surest is the reason: a link before a telephone number',
  () => {
    assert.match(found('wa.me/5491155551234 o 11 5555-1234'), /^SOCIAL_NETWORK_LINK/)
    assert.match(found('bit.ly/a o https://pay.feria.example/x'), /^LINK_PLATFORMPAY/)
    assert.match(found('escribime al whatsapp 11 5555-1234'), /^SOCIAL_NETWORK_LINK/)
    assert.match(found('idiota, wa.me/5491155551234'), /^OUT_OF_PLACE_LANGUAGE/)
  },
)

contract(
  '2.10',
  'the labelled messages that nothing was tuned on are judged as well as promised',
  () => {
    const messages = readLabeledMessages('held-out')
    const verdict = (each: (typeof messages)[number]) =>
      moderate(each.text, each.context)?.reason ?? 'clean'
    const clean = messages.filter(({ expected }) => expected === 'clean')
    const others = messages.filter(({ expected }) => expected !== 'clean')
    const passed = clean.filter((each) => verdict(each) === 'clean').length
    const caught = others.filter((each) => verdict(each) === each.expected).length
    assert.ok(messages.length > 300)
    assert.ok(passed / clean.length >= 0.98, `${passed} of ${clean.length} clean ones pass`)
    assert.ok(caught / others.length >= 0.95, `${caught} of ${others.length} others are refused`)
  },
)

test('the labelled messages are at least 600, half of them clean, none of them twice', () => {
  const all = [...readLabeledMessages('held-out'), ...readLabeledMessages('tuning')]
  const clean = all.filter(({ expected }) => expected === 'clean').length
  const texts = new Set(all.map(({ text, context }) => `${context.siteId} ${text}`))
  assert.ok(all.length >= 600)
  assert.ok(Math.abs(clean / all.length - 0.5) < 0.05, `${clean} of ${all.length}`)
  assert.equal(texts.size, all.length)
})

test('every message that rules are tuned on is judged as its label says', () => {
  const wrong = readLabeledMessages('tuning').flatMap(({ text, context, expected }) => {
    const decision = moderate(text, context)
    const { reason, rule } = decision ?? { reason: 'clean', rule: '' }
    return reason === expected ? [] : [`expected ${expected}, was ${reason} ${rule}: ${text}`]
  })
  assert.deepEqual(wrong, [])
})
