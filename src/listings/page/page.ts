import { type Html, html } from '../../http/pages/html.ts'
import type { Language } from '../../http/pages/language.ts'
import { page } from '../../http/pages/page.ts'
import type { Answer } from '../../http/route.ts'
import type { Failure } from '../../kernel/failure.ts'
import { sites } from '../../kernel/sites.ts'
import { isSellersCode, noVariation, type VariationAttribute } from '../listing.ts'
import type { ListedItem } from '../store-read.ts'
import { conditionName, translations } from './translations.ts'

/** The page of a listing, as anybody sees it. */
export function listingPage(
  item: ListedItem,
  {
    nickname,
    description,
    language,
  }: { nickname: string; description: string | undefined; language: Language },
): Answer {
  const says = translations[language]
  const { status, title, subtitle } = item
  const left = item.stock.reduce((sum, { availableQuantity }) => sum + availableQuantity, 0)
  const ended = status === 'active' ? undefined : says[status]
  const body = html`${ended && html`<p class="alert">${ended}</p>`}
${subtitle ? html`<p>${subtitle}</p>` : undefined}
<p class="price"><strong>${priceOf(item, language)}</strong></p>
${picturesOf(item, says.picture)}
<dl>
${term(says.seller, nickname)}
${term(says.condition, conditionName(item.condition, language))}
${status === 'active' ? term(says.available, String(left)) : undefined}
</dl>
${attributesOf(item.attributes, says.attributes)}
${variationsOf(item, says.variations)}
${
  description === undefined
    ? undefined
    : html`<h2>${says.description}</h2>
<p class="text">${description}</p>`
}`
  return page({ language, title, body, showsPictures: true })
}

export function missingPage({ message, status }: Failure, language: Language): Answer {
  const { missing: title, missingLead } = translations[language]
  const body = html`<p>${missingLead}</p>
<p class="alert" role="alert"><code lang="en">${message}</code></p>`
  return page({ language, title, body, status })
}

/** The price as it is written where the item is listed, or as the reader's language writes it. */
function priceOf({ price, currencyId, siteId }: ListedItem, language: Language): string {
  if (price === null) return translations[language].noPrice
  const format = { style: 'currency', currency: currencyId } as const
  const site = sites[siteId]
  const locale = site.language === language ? `${language}-${site.country}` : language
  return new Intl.NumberFormat(locale, format).format(Number(price))
}

function picturesOf({ pictures, title }: ListedItem, word: string): Html {
  const each = pictures.map(
    ({ url }, index) =>
      html`<img src="${url}" alt="${title}. ${word} ${index + 1}" loading="lazy" referrerpolicy="no-referrer">\n`,
  )
  return html`${each}`
}

const term = (name: string, value: string) => html`<dt>${name}</dt><dd>${value}</dd>`

const publicAttributes = (attributes: readonly VariationAttribute[]) =>
  attributes.filter((each) => !isSellersCode(each))

function attributesOf(
  attributes: readonly VariationAttribute[],
  heading: string,
): Html | undefined {
  const seen = publicAttributes(attributes)
  if (seen.length === 0) return undefined
  return html`<h2>${heading}</h2>
<dl>
${seen.map(({ name, value_name }) => term(name, value_name))}
</dl>`
}

function variationsOf({ stock }: ListedItem, heading: string): Html | undefined {
  const varied = stock.filter(({ variationId }) => variationId !== noVariation)
  if (varied.length === 0) return undefined
  const each = varied.map(({ attributes }) => {
    const values = publicAttributes(attributes).map(
      ({ name, value_name }) => `${name}: ${value_name}`,
    )
    return html`<li>${values.join(', ')}</li>`
  })
  return html`<h2>${heading}</h2>
<ul>${each}</ul>`
}
