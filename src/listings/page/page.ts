import { type Html, html } from '../../http/pages/html.ts'
import type { Language } from '../../http/pages/language.ts'
import { page } from '../../http/pages/page.ts'
import type { RouteResponse } from '../../http/route.ts'
import type { Failure } from '../../kernel/failure.ts'
import { sites } from '../../kernel/sites.ts'
import { type ItemAttribute, isSellerSku, noVariation } from '../listing.ts'
import type { StoredListing } from '../store-read.ts'
import { conditionName, translations } from './translations.ts'

/** Renders the public page of a listing. */
export function listingPage(
  item: StoredListing,
  {
    nickname,
    description,
    language,
  }: { nickname: string; description: string | undefined; language: Language },
): RouteResponse {
  const texts = translations[language]
  const { status, title, subtitle } = item
  const available = item.stock.reduce((sum, { availableQuantity }) => sum + availableQuantity, 0)
  const notice = status === 'active' ? undefined : texts[status]
  const body = html`${notice && html`<p class="alert">${notice}</p>`}
${subtitle ? html`<p>${subtitle}</p>` : undefined}
<p class="price"><strong>${priceOf(item, language)}</strong></p>
${picturesOf(item, texts.picture)}
<dl>
${term(texts.seller, nickname)}
${term(texts.condition, conditionName(item.condition, language))}
${status === 'active' ? term(texts.available, String(available)) : undefined}
</dl>
${attributesOf(item.attributes, texts.attributes)}
${variationsOf(item, texts.variations)}
${
  description === undefined
    ? undefined
    : html`<h2>${texts.description}</h2>
<p class="text">${description}</p>`
}`
  return page({ language, title, body, showsPictures: true })
}

export function notFoundPage({ message, status }: Failure, language: Language): RouteResponse {
  const { missing: title, missingLead } = translations[language]
  const body = html`<p>${missingLead}</p>
<p class="alert" role="alert"><code lang="en">${message}</code></p>`
  return page({ language, title, body, status })
}

/** Formats the price for the country of the site if the reader's language is spoken there, else for that language. */
function priceOf({ price, currencyId, siteId }: StoredListing, language: Language): string {
  if (price === null) return translations[language].noPrice
  const format = { style: 'currency', currency: currencyId } as const
  const site = sites[siteId]
  const locale = site.language === language ? `${language}-${site.country}` : language
  return new Intl.NumberFormat(locale, format).format(Number(price))
}

function picturesOf({ pictures, title }: StoredListing, label: string): Html {
  const images = pictures.map(
    ({ url }, index) =>
      html`<img src="${url}" alt="${title}. ${label} ${index + 1}" loading="lazy" referrerpolicy="no-referrer">\n`,
  )
  return html`${images}`
}

const term = (name: string, value: string) => html`<dt>${name}</dt><dd>${value}</dd>`

const publicAttributes = (attributes: readonly ItemAttribute[]) =>
  attributes.filter((attribute) => !isSellerSku(attribute))

function attributesOf(attributes: readonly ItemAttribute[], heading: string): Html | undefined {
  const visible = publicAttributes(attributes)
  if (visible.length === 0) return undefined
  return html`<h2>${heading}</h2>
<dl>
${visible.map(({ name, value_name }) => term(name, value_name))}
</dl>`
}

function variationsOf({ stock }: StoredListing, heading: string): Html | undefined {
  const variations = stock.filter(({ variationId }) => variationId !== noVariation)
  if (variations.length === 0) return undefined
  const listItems = variations.map(({ attributes }) => {
    const values = publicAttributes(attributes).map(
      ({ name, value_name }) => `${name}: ${value_name}`,
    )
    return html`<li>${values.join(', ')}</li>`
  })
  return html`<h2>${heading}</h2>
<ul>${listItems}</ul>`
}
