import type { sites } from '../../kernel/sites.ts'
import type { optionRules, TemplateOption } from '../option-rules.ts'
import type { PromisedDay } from './delivery-promise.ts'

/**
 * Texts of the templates, for each site that has the option. They use the vocabulary of the country, and verb forms
 * that fit both `tú` and `vos`.
 */
export const templateTexts = {
  REQUEST_VARIANTS: {
    MLA: 'Hola. ¡Gracias por tu compra! Para prepararla necesitamos que nos detalles las opciones del producto: color, talle, modelo o cualquier otra que la publicación ofrezca.',
    MLB: 'Olá! Agradecemos a sua compra. Para prepará-la, precisamos que você nos informe as opções do produto: cor, tamanho, modelo ou qualquer outra que o anúncio ofereça.',
    MLM: 'Hola. ¡Gracias por tu compra! Para prepararla necesitamos que nos detalles las opciones del producto: color, talla, modelo o cualquier otra que la publicación ofrezca.',
    MCO: 'Hola. ¡Gracias por tu compra! Para prepararla necesitamos que nos detalles las opciones del producto: color, talla, modelo o cualquier otra que la publicación ofrezca.',
    MLC: 'Hola. ¡Gracias por tu compra! Para prepararla necesitamos que nos detalles las opciones del producto: color, talla, modelo o cualquier otra que la publicación ofrezca.',
  },
  REQUEST_BILLING_INFO: {
    MLA: 'Hola. Para hacer la factura de tu compra necesitamos que nos envíes estos datos: nombre completo, número de DNI, domicilio y código postal. Solo los usaremos para la factura.',
    MLM: 'Hola. Para hacer la factura de tu compra necesitamos que nos envíes estos datos: nombre completo o razón social, RFC, domicilio y código postal. Solo los usaremos para la factura.',
    MCO: 'Hola. Para hacer la factura de tu compra necesitamos que nos envíes estos datos: nombre completo, tipo y número de documento, correo electrónico, dirección, código postal, código de municipio y código de departamento. Solo los usaremos para la factura.',
    MLU: 'Hola. Para hacer la factura de tu compra necesitamos que nos envíes estos datos: nombre completo y número de cédula de identidad. Solo los usaremos para la factura.',
  },
  DELIVERY_PROMISE: {
    MLA: 'Hola. Entregaremos tu compra {day}, entre {initial} y {final} h.',
    MLB: 'Olá! Entregaremos a sua compra {day}, entre {initial} e {final} h.',
    MCO: 'Hola. Entregaremos tu compra {day}, entre {initial} y {final} h.',
    MLC: 'Hola. Entregaremos tu compra {day}, entre {initial} y {final} h.',
    MLU: 'Hola. Entregaremos tu compra {day}, entre {initial} y {final} h.',
  },
} as const satisfies {
  [K in TemplateOption]: Record<(typeof optionRules)[K]['sites'][number], string>
}

type SiteLanguage = (typeof sites)[keyof typeof sites]['language']

/** Words for the promised day. Days after tomorrow name the date, because buyer and seller may have different
 * business days. */
export const promisedDayTexts = {
  es: {
    today: 'hoy',
    tomorrow: 'mañana',
    next_business_day: 'el próximo día hábil ({date})',
    later: 'el {date}',
  },
  pt: {
    today: 'hoje',
    tomorrow: 'amanhã',
    next_business_day: 'no próximo dia útil ({date})',
    later: 'no dia {date}',
  },
} as const satisfies Record<SiteLanguage, Record<PromisedDay, string>>
