import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { baseAddress } from '../../http/address.ts'
import { okJsonText, type Route, type RouteResponse, route } from '../../http/route.ts'
import { siteInPath } from '../../http/site-rule.ts'
import { findUserIdsByNickname } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import type { OperatorActor } from '../../kernel/operator-actor.ts'
import { Id, OrNull, Timestamp } from '../../kernel/schema.ts'
import { type SiteId, siteIds, sites } from '../../kernel/sites.ts'
import type { Context } from '../../platform/context.ts'
import { permalinkOf } from '../listing.ts'
import { attributeNamer, describeValues } from './attribute-values.ts'
import { appliedFilters, availableFilters, type FilterContext } from './available-filters.ts'
import {
  correctedStems,
  explainResult,
  Interpretation,
  interpretationOf,
  ResultExplanation,
  wordWithStem,
} from './explanation.ts'
import { sortName } from './filter-names.ts'
import { ListingSearchQuery, parseListingSearch } from './parameters.ts'
import { type ListingSearchPage, searchListings } from './search.ts'
import { listingSorts, readBestTitle } from './store.ts'

const Named = Type.Object({ id: Type.String(), name: Type.String() })
const Text = Type.String()
const Quantity = Type.Integer({ minimum: 0 })

/** A listing as search results show it. */
const Result = Type.Object({
  id: Text,
  site_id: Text,
  title: Text,
  seller: Type.Object({
    id: Id,
    power_seller_status: OrNull(Text),
    car_dealer: Type.Boolean(),
    real_estate_agency: Type.Boolean(),
    tags: Type.Array(Text),
  }),
  price: OrNull(Type.Number()),
  currency_id: Text,
  reservation_price: Type.Null(),
  reservation_currency_id: Type.Null(),
  available_quantity: Quantity,
  sold_quantity: Quantity,
  buying_mode: Text,
  listing_type_id: Text,
  stop_time: Timestamp,
  condition: Text,
  permalink: Text,
  thumbnail: OrNull(Text),
  accepts_platformpay: Type.Boolean(),
  installments: Type.Null(),
  address: Type.Object({ state_id: Text, state_name: Text, city_id: Text, city_name: Text }),
  shipping: Type.Object({
    free_shipping: Type.Boolean(),
    mode: Text,
    tags: Type.Array(Text),
  }),
  seller_address: Type.Object({
    id: Type.Null(),
    comment: Text,
    address_line: Text,
    zip_code: Text,
    country: Named,
    state: Named,
    city: Named,
    latitude: Type.Null(),
    longitude: Type.Null(),
  }),
  attributes: Type.Array(
    Type.Object({
      attribute_group_id: Text,
      attribute_group_name: Text,
      id: Text,
      name: Text,
      value_id: OrNull(Text),
      value_name: Text,
      value_struct: Type.Null(),
    }),
  ),
  original_price: Type.Null(),
  category_id: Text,
  official_store_id: OrNull(Id),
  catalog_product_id: OrNull(Text),
  reviews: Type.Object({ rating_average: Type.Number(), total: Quantity }),
  explanation: Type.Optional(ResultExplanation),
})

const SearchAnswer = Type.Object({
  site_id: Text,
  query: Text,
  paging: Type.Object({
    total: Quantity,
    offset: Quantity,
    limit: Quantity,
    primary_results: Quantity,
  }),
  results: Type.Array(Result),
  secondary_results: Type.Array(Type.Unknown()),
  related_results: Type.Array(Type.Unknown()),
  sort: Named,
  available_sorts: Type.Array(Named),
  filters: Type.Array(
    Type.Object({
      id: Text,
      name: Text,
      type: Type.Enum(['text', 'range']),
      values: Type.Array(
        Type.Object({
          id: Text,
          name: Text,
          path_from_root: Type.Optional(Type.Array(Named)),
        }),
      ),
    }),
  ),
  available_filters: Type.Array(
    Type.Object({
      id: Text,
      name: Text,
      type: Type.Enum(['text', 'range']),
      values: Type.Array(Type.Object({ id: Text, name: Text, results: Quantity })),
    }),
  ),
  interpretation: Type.Optional(Interpretation),
})

/** Upper limit of `paging.primary_results`. */
const maxPrimaryResults = 1_000

const sharedRouteOptions = {
  method: 'GET',
  scope: 'public',
  permission: 'listings:read',
  sites: siteInPath,
  tag: 'Sites and categories',
  query: ListingSearchQuery,
  answers: { 200: SearchAnswer },
} as const

const behavior =
  'Finds active listings that have all words of `q`, or synonyms of them, in their title or attributes; case, accents and plural forms do not matter. Those that fit best come first. When few listings have all words, the search also accepts a prefix as the last word, corrects misspellings, takes the category that a word names, and at last requires only the words that tell most: `interpretation` says what it did. Filter by category (with those below it), price, condition, shipping, buying mode, seller (`seller_id` or `nickname`) and attributes by their ids (`BRAND=…`); `available_filters` lists filters that narrow the results, with counts. With `explain=true` and the operator’s token, results have an `explanation` of their place; without that token you get 401 `operator_only`. Send `q` or at least one filter, else you get 400 `bad_request`. 404 `not_found`: there is no such site or category.'

const searchSite = route({
  ...sharedRouteOptions,
  url: '/sites/:site_id/search',
  summary: 'Search listings',
  description: behavior,
  refuses: {
    search_without_filter: '',
    operator_parameter: 'explain',
    not_found: 'Category not found: MLA0',
  },
  params: Type.Object({ site_id: Type.String() }),
  handle: (ctx, { params, query, headers, operator, ignore }) =>
    answerSearch(ctx, { site: params.site_id, query, headers, operator, ignore }),
})

const searchSiteOldPath = route({
  ...sharedRouteOptions,
  url: '/:site_id/search',
  summary: 'Search listings (older path)',
  description:
    'Works like `GET /sites/{site_id}/search`, which new clients should use. `explain=true` without the operator’s token answers 401 `operator_only`. Send `q` or at least one filter, else you get 400 `bad_request`. 404 `not_found`: there is no such site or category.',
  refuses: {
    search_without_filter: '',
    operator_parameter: 'explain',
    not_found: 'Category not found: MLA0',
  },
  params: Type.Object({ site_id: Type.String() }),
  handle: (ctx, { params, query, headers, operator, ignore }) =>
    answerSearch(ctx, { site: params.site_id, query, headers, operator, ignore }),
})

/** Answers a search of a site. Throws `not_found` for an unknown site or category. `ignore` is called with each
 * parameter that has no effect. */
async function answerSearch(
  ctx: Context,
  {
    site,
    query,
    headers,
    operator,
    ignore,
  }: {
    site: string
    query: ListingSearchQuery
    headers: IncomingHttpHeaders
    operator: OperatorActor | undefined
    ignore: (parameter: string) => void
  },
): Promise<RouteResponse> {
  if (!siteIds.includes(site as SiteId)) throw new Failure('not_found', `Site not found: ${site}`)
  const siteId = site as SiteId
  const explains = query.explain === 'true'
  if (explains && !operator) {
    throw new Failure('operator_parameter', 'explain')
  }
  const { catalog } = ctx.catalog.served
  const search = parseListingSearch(query, {
    language: sites[siteId].language,
    isAttribute: (id) => catalog.attribute(id) !== undefined,
    ignore,
  })
  const tree = catalog.tree(siteId)
  const { categoryId } = search
  const category = categoryId === null ? undefined : tree.byId.get(categoryId)
  if (categoryId !== null && !category) {
    throw new Failure('not_found', `Category not found: ${categoryId}`)
  }
  const { nickname } = search
  const sellers = nickname === null ? null : await findUserIdsByNickname(ctx.db, nickname)
  const [page, nameOf] = await Promise.all([
    searchListings(ctx, search, { siteId, category, sellers }),
    attributeNamer(ctx, siteId, search.attributes),
  ])
  const answerContext: FilterContext = { siteId, tree, category, nameOf }
  const leading = page.leadingCategory && {
    attributes: catalog.attributes(page.leadingCategory.category),
    values: await describeValues(ctx, siteId, page.leadingCategory.values),
  }
  const { total } = page.counts
  const { offset, limit, sort } = search
  const sortView = (id: (typeof listingSorts)[number]) => ({ id, name: sortName(id, siteId) })
  const head = {
    site_id: siteId,
    query: search.text,
    paging: { total, offset, limit, primary_results: Math.min(total, maxPrimaryResults) },
  }
  const rest = {
    secondary_results: [],
    related_results: [],
    sort: sortView(sort),
    available_sorts: listingSorts.filter((other) => other !== sort).map(sortView),
    filters: appliedFilters(search, answerContext),
    available_filters: availableFilters(search, { counts: page.counts, leading }, answerContext),
  }
  const { interpretation } = page
  const changes =
    interpretation &&
    interpretationOf(search, interpretation, {
      tree,
      writtenAs: await wordsAsWritten(ctx, siteId, correctedStems(interpretation)),
    })
  const tail = changes ? { ...rest, interpretation: changes } : rest
  const [before, after] = [JSON.stringify(head).slice(0, -1), JSON.stringify(tail).slice(1)]
  return okJsonText(
    `${before},"results":[${resultTexts(page, { base: baseAddress(ctx.config, headers), explains }).join()}],${after}`,
  )
}

/** Returns the results as JSON. Stored cards get their stock, which sales change, and the address of this service. */
function resultTexts(
  { cards, stock, relevance, interpretation }: ListingSearchPage,
  { base, explains }: { base: string; explains: boolean },
): string[] {
  return cards.map(({ id, body }) => {
    const { left: available, sold } = stock.get(id) ?? { left: 0, sold: 0 }
    // `"permalink":null` is the field itself, which a card has at most once: JSON escapes quotation marks in texts.
    const permalink = `"permalink":${JSON.stringify(permalinkOf({ id, permalink: null }, base))}`
    const card = body.trimEnd().replace('"permalink":null', () => permalink)
    const own = relevance.get(id)
    const explanation =
      explains && own && interpretation
        ? `"explanation":${JSON.stringify(explainResult(own, interpretation))},`
        : ''
    return `{"available_quantity":${available},"sold_quantity":${sold},${explanation}${card}`
  })
}

/** Returns a function that finds how the best listing with a word writes it. */
async function wordsAsWritten(
  { db }: Context,
  siteId: SiteId,
  stems: readonly string[],
): Promise<(stem: string) => string> {
  const words = await Promise.all(
    stems.map(async (stem): Promise<[string, string]> => {
      const title = await readBestTitle(db, siteId, stem)
      return [stem, (title && wordWithStem(stem, title)) || stem]
    }),
  )
  const byStem = new Map(words)
  return (stem) => byStem.get(stem) ?? stem
}

/** Public searches of listings. */
export const listingSearchRoutes: Route[] = [searchSite, searchSiteOldPath]
