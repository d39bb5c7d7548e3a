import { type SiteId, sites } from '../../kernel/sites.ts'
import type { PriceRange, TraitFilter } from './index/facets.ts'
import type { ListingSort } from './store.ts'

/** Names of filters, their values and sorts, in the languages of the sites. */

type Texts = Readonly<Record<'es' | 'pt', string>>

const sortNames: Readonly<Record<ListingSort, Texts>> = {
  relevance: { es: 'Más relevantes', pt: 'Mais relevantes' },
  price_asc: { es: 'Menor precio', pt: 'Menor preço' },
  price_desc: { es: 'Mayor precio', pt: 'Maior preço' },
}

const filterNames = {
  category: { es: 'Categorías', pt: 'Categorias' },
  price: { es: 'Precio', pt: 'Preço' },
  seller_id: { es: 'Vendedor', pt: 'Vendedor' },
  nickname: { es: 'Apodo del vendedor', pt: 'Apelido do vendedor' },
  condition: { es: 'Condición', pt: 'Condição' },
  shipping: { es: 'Envío', pt: 'Envio' },
  buying_mode: { es: 'Modalidad de compra', pt: 'Forma de compra' },
} as const satisfies Record<string, Texts>

const traitNames: Readonly<Record<TraitFilter, Readonly<Record<string, Texts>>>> = {
  condition: {
    new: { es: 'Nuevo', pt: 'Novo' },
    used: { es: 'Usado', pt: 'Usado' },
    not_specified: { es: 'No especificado', pt: 'Não especificado' },
  },
  shipping: {
    platformshipping: { es: 'Envío de la plataforma', pt: 'Envio da plataforma' },
    free: { es: 'Envío gratis', pt: 'Frete grátis' },
    custom: { es: 'Envío del vendedor', pt: 'Envio do vendedor' },
    local_pick_up: { es: 'Retiro en persona', pt: 'Retirada em mãos' },
  },
  buying_mode: {
    buy_it_now: { es: 'Compra inmediata', pt: 'Compra imediata' },
    classified: { es: 'Clasificado', pt: 'Classificado' },
  },
}

export function sortName(sort: ListingSort, siteId: SiteId): string {
  return sortNames[sort][sites[siteId].language]
}

export function filterName(id: keyof typeof filterNames, siteId: SiteId): string {
  return filterNames[id][sites[siteId].language]
}

/** Returns the name of a value, or its id when it is unknown. */
export function traitName(filter: TraitFilter, id: string, siteId: SiteId): string {
  const names = traitNames[filter]
  return (Object.hasOwn(names, id) && names[id]?.[sites[siteId].language]) || id
}

const rangeTexts = {
  es: { upTo: 'Hasta', to: 'a', over: 'Desde' },
  pt: { upTo: 'Até', to: 'a', over: 'A partir de' },
}

/** `Hasta $550`, `$550 a $850`, `Desde $850`. */
export function rangeName({ from, to }: PriceRange, siteId: SiteId): string {
  const texts = rangeTexts[sites[siteId].language]
  const [minimum, maximum] = [from, to].map((side) =>
    side === null ? null : formatMoney(side, siteId),
  )
  if (minimum === null) return maximum === null ? '*' : `${texts.upTo} ${maximum}`
  return maximum === null ? `${texts.over} ${minimum}` : `${minimum} ${texts.to} ${maximum}`
}

const formats = new Map<SiteId, Intl.NumberFormat>()

/** Formats an amount of cents in the currency and language of the site, without decimals where they are zero. */
function formatMoney(cents: number, siteId: SiteId): string {
  let format = formats.get(siteId)
  if (!format) {
    const { language, country, currency } = sites[siteId]
    format = new Intl.NumberFormat(`${language}-${country}`, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 0,
      maximumFractionDigits: 2,
    })
    formats.set(siteId, format)
  }
  return format.format(cents / 100)
}

/** The id of a range: `*-550.0`, `550.0-850.0`. */
export function rangeId({ from, to }: PriceRange): string {
  return [from, to].map((side) => (side === null ? '*' : formatBound(side))).join('-')
}

const formatBound = (cents: number) =>
  cents % 100 === 0 ? `${cents / 100}.0` : String(cents / 100)
