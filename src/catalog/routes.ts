import { type TSchema, Type } from 'typebox'
import { ok, okJsonText, type Route, type RouteResponse, route } from '../http/route.ts'
import { Failure } from '../kernel/failure.ts'
import { OrNull, Timestamp } from '../kernel/schema.ts'
import { type SiteId, siteIds, sites } from '../kernel/sites.ts'
import { valueTypes } from '../predictor/source.ts'
import { countryFormats } from './country-formats.ts'
import type { CategoryDownload, ServedCatalog } from './served-catalog.ts'
import type { Category } from './tree/tree.ts'

const tag = 'Sites and categories'

const Named = Type.Object({ id: Type.String(), name: Type.String() })
const NamedCategory = Type.Object({
  id: Type.String({ examples: ['MLA1411'] }),
  name: Type.String({ examples: ['Electrónica'] }),
})
const Counted = Type.Object({
  id: Type.String(),
  name: Type.String(),
  total_items_in_this_category: Type.Integer({ minimum: 0 }),
})

/** The body of a category. */
const CategoryAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  picture: Type.String({ format: 'http-url' }),
  permalink: OrNull(Type.String()),
  total_items_in_this_category: Type.Integer({ minimum: 0 }),
  path_from_root: Type.Array(NamedCategory),
  children_categories: Type.Array(Counted),
  attribute_types: Type.Enum(['none', 'attributes']),
  settings: Type.Object({}),
  meta_categ_id: OrNull(Type.String()),
  attributable: Type.Boolean(),
  date_created: Timestamp,
})

/** An attribute of the listings in a category. */
const AttributeAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tags: Type.Object({}),
  hierarchy: Type.String(),
  relevance: Type.Integer(),
  value_type: Type.Enum([...valueTypes]),
  value_max_length: Type.Integer(),
  values: Type.Optional(Type.Array(Named)),
  allowed_units: Type.Optional(Type.Array(Named)),
  default_unit: Type.Optional(Type.String()),
  attribute_group_id: Type.String(),
  attribute_group_name: Type.String(),
})

const SiteAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  country_id: Type.String(),
  default_currency_id: Type.String(),
  currencies: Type.Array(Type.Object({ id: Type.String(), symbol: Type.String() })),
  categories: Type.Array(NamedCategory),
  settings: Type.Object({}),
})

const named = ({ id, name }: Category) => ({ id, name })
const siteParams = Type.Object({ site_id: Type.String() })
const categoryParams = Type.Object({ category_id: Type.String() })

const publicRead = { method: 'GET', scope: 'public', tag, fromMemory: true } as const

const getSites = route({
  ...publicRead,
  url: '/sites',
  summary: 'List sites',
  description: 'Returns every country site with its name and its default currency.',
  answers: {
    200: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        default_currency_id: Type.String(),
      }),
    ),
  },
  async handle() {
    return ok(
      siteIds.map((id) => ({
        default_currency_id: sites[id].currency,
        id,
        name: sites[id].name,
      })),
    )
  },
})

const getSite = route({
  ...publicRead,
  url: '/sites/:site_id',
  summary: 'Get a site',
  description:
    'Returns a site with its currency and top categories. `settings` has its language, its time zone, and the forms of its identity documents and addresses. An unknown site answers 404 `not_found`.',
  refuses: { not_found: 'Site not found: XXX' },
  params: siteParams,
  answers: { 200: SiteAnswer },
  async handle(ctx, { params }) {
    const id = siteOrFail(params.site_id)
    const { name, country, currency, language, timeZone } = sites[id]
    const { documents, region, postalCode } = countryFormats[id]
    return ok({
      id,
      name,
      country_id: country,
      default_currency_id: currency,
      currencies: [{ id: currency, symbol: symbolOf(id) }],
      categories: ctx.catalog.served.catalog.tree(id).top.map(named),
      settings: {
        language,
        time_zone: timeZone,
        identification_types: documents,
        address: { region, postal_code: postalCode },
      },
    })
  },
})

const getTop = route({
  ...publicRead,
  url: '/sites/:site_id/categories',
  summary: 'List the top categories of a site',
  description:
    'Returns the categories without a parent. To go down the tree, call `/categories/{category_id}` and read its `children_categories`. An unknown site answers 404 `not_found`.',
  refuses: { not_found: 'Site not found: XXX' },
  params: siteParams,
  answers: { 200: Type.Array(NamedCategory) },
  async handle(ctx, { params }) {
    return ok(ctx.catalog.served.catalog.tree(siteOrFail(params.site_id)).top.map(named))
  },
})

const getCategory = route({
  ...publicRead,
  url: '/categories/:category_id',
  summary: 'Get a category',
  description:
    'Returns a category with its settings. `path_from_root` has the categories from the top down to it, `children_categories` those right below it, with their numbers of listings. An unknown category answers 404 `not_found`.',
  refuses: { not_found: 'Category not found: MLA0' },
  params: categoryParams,
  answers: { 200: CategoryAnswer },
  async handle(ctx, { params }) {
    const servedCatalog = ctx.catalog.served
    await servedCatalog.refreshCounts()
    return okJsonText(servedCatalog.categoryJson(categoryOrFail(servedCatalog, params.category_id)))
  },
})

const getAttributes = route({
  ...publicRead,
  url: '/categories/:category_id/attributes',
  summary: 'List the attributes of a category',
  description:
    'Returns the attributes of listings in this category. Those with `tags.required` are mandatory when you list an item. The list is empty for a category with children, because nothing is listed there, unless its `listing_allowed` is true. An unknown category answers 404 `not_found`.',
  refuses: { not_found: 'Category not found: MLA0' },
  params: categoryParams,
  answers: { 200: Type.Array(AttributeAnswer) },
  async handle(ctx, { params }) {
    const servedCatalog = ctx.catalog.served
    return okJsonText(
      servedCatalog.attributesJson(categoryOrFail(servedCatalog, params.category_id)),
    )
  },
})

const getAll = route({
  ...publicRead,
  url: '/sites/:site_id/categories/all',
  summary: 'Download all categories of a site',
  description:
    'Returns one object with every category by its id, with its attributes if you send `withAttributes=true`. The answer is always compressed with gzip. `X-Content-Created` and `X-Content-MD5` describe the compressed bytes. Send `If-None-Match` to get 304 if nothing has changed. An unknown site answers 404 `not_found`.',
  refuses: { not_found: 'Site not found: XXX' },
  params: siteParams,
  query: Type.Object({ withAttributes: Type.Optional(Type.Enum(['true', 'false'])) }),
  answers: { 200: Type.Record(Type.String(), CategoryAnswer) as TSchema },
  async handle(ctx, { params, query, headers }) {
    const servedCatalog = ctx.catalog.served
    await servedCatalog.refreshCounts()
    const withAttributes = query.withAttributes === 'true'
    const download = await servedCatalog.download(siteOrFail(params.site_id), withAttributes)
    return downloadAnswer(download, headers['if-none-match'])
  },
})

function categoryOrFail(servedCatalog: ServedCatalog, id: string): Category {
  const category = servedCatalog.catalog.category(id)
  if (!category) throw new Failure('not_found', `Category not found: ${id}`)
  return category
}

const getPicture = route({
  ...publicRead,
  url: '/category_pictures/:file',
  summary: 'Get the picture of a category',
  description:
    'Returns an SVG. The `picture` field of a category has its address. An unknown category answers 404 `not_found`.',
  refuses: { not_found: 'Category not found: MLA0' },
  params: Type.Object({
    file: Type.String({ description: 'Id of the category and `.svg`' }),
  }),
  answers: {
    200: Type.String({
      description: 'An SVG image',
      examples: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"/>'],
    }),
  },
  async handle(ctx, { params }) {
    const category = categoryOrFail(ctx.catalog.served, params.file.replace(/\.svg$/, ''))
    const headers = {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'",
    }
    return { status: 200, text: pictureOf(category), headers }
  },
})

function siteOrFail(id: string): SiteId {
  if (!siteIds.includes(id as SiteId)) throw new Failure('not_found', `Site not found: ${id}`)
  return id as SiteId
}

function downloadAnswer(
  { bytes, headers }: CategoryDownload,
  ifNoneMatch: string | undefined,
): RouteResponse {
  const isUnchanged = ifNoneMatch
    ?.split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === headers.etag)
  if (isUnchanged || ifNoneMatch?.trim() === '*') return { status: 304, headers }
  return { status: 200, bytes, headers: { ...headers, 'content-encoding': 'gzip' } }
}

/** Currency symbols by site. Finding one takes longer than the rest of an answer. */
const symbols = new Map<SiteId, string>()

/** Returns the currency symbol as the country writes it. */
function symbolOf(id: SiteId): string {
  const cached = symbols.get(id)
  if (cached !== undefined) return cached
  const { currency, language, country } = sites[id]
  const parts = new Intl.NumberFormat(`${language}-${country}`, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0)
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency
  symbols.set(id, symbol)
  return symbol
}

/** The public operations of sites, categories and attributes. */
export const catalogRoutes: Route[] = [
  getSites,
  getSite,
  getTop,
  getAll,
  getCategory,
  getAttributes,
  getPicture,
]

/** Renders the picture of a category: its initial on a color that depends on its id. */
function pictureOf({ id, name }: { id: string; name: string }): string {
  const hue = (Number(id.slice(3)) * 137) % 360
  const initial = [...name][0] ?? ''
  const letter = /[\p{L}\p{N}]/u.test(initial) ? initial.toUpperCase() : ''
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">` +
    `<rect width="96" height="96" rx="12" fill="hsl(${hue} 45% 88%)"/>` +
    `<text x="48" y="64" font-family="sans-serif" font-size="48" text-anchor="middle" ` +
    `fill="hsl(${hue} 45% 30%)">${letter}</text></svg>`
  )
}
