import type { ResponseBody } from 'feria/client'
import {
  attribute,
  category,
  domainDiscovery,
  listingSearchShape,
  refusal,
  site,
  siteCodes,
} from './bodies.ts'
import type { ConformCheck } from './check.ts'
import { eachIs, hasLength, responsePasses, someIs, sorted, valueIs } from './rules.ts'

const nobody = { section: '4.4', as: 'nobody' } as const
const discover = 'GET /sites/{site}/domain_discovery/search'
const topValues = 'POST /catalog_domains/{domain}/attributes/{attribute}/top_values'
const search = 'GET /sites/{site}/search'
const refused = { ...nobody, gives: 400 } as const
/** Something that does not exist. The contract names no error for it, so the general body is expected. */
const unknown = { ...nobody, gives: 404, body: refusal, open: true } as const

/** Checks of sites, categories and the catalog, with their limits. */
export const catalogChecks: readonly ConformCheck[] = [
  {
    ...nobody,
    says: 'sites are listed with code and name, without a token',
    ask: 'GET /sites',
    gives: 200,
    body: [site],
  },
  ...siteCodes.map(
    (code): ConformCheck => ({
      section: '2.1',
      as: 'nobody',
      says: `there is the site ${code}`,
      ask: 'GET /sites',
      gives: 200,
      holds: [someIs('', 'id', code)],
    }),
  ),
  {
    ...nobody,
    says: 'a site has top-level categories',
    ask: 'GET /sites/{site}/categories',
    gives: 200,
    body: [{ id: 'text', name: 'text' }],
    holds: [hasLength('', { least: 1 })],
  },
  {
    section: '2.13',
    as: 'nobody',
    says: 'a category has its fields and settings',
    ask: 'GET /categories/{category}',
    gives: 200,
    body: category,
    holds: [valueIs('id', '{category}')],
  },
  {
    ...nobody,
    says: 'path_from_root ends with the category itself',
    ask: 'GET /categories/{category}',
    gives: 200,
    holds: [
      responsePasses(
        'the last of path_from_root to be the category',
        ({ id, path_from_root }: ResponseBody<'/categories/{category_id}', 'get'>) =>
          path_from_root.at(-1)?.id === id,
      ),
    ],
  },
  {
    ...nobody,
    says: 'a top-level category is its own root and lists its children',
    ask: 'GET /categories/{root}',
    gives: 200,
    body: category,
    holds: [
      valueIs('path_from_root[0].id', '{root}'),
      hasLength('children_categories', { least: 1 }),
    ],
  },
  {
    ...nobody,
    says: 'path_from_root of a child begins with its root',
    ask: 'GET /categories/{child}',
    gives: 200,
    body: category,
    holds: [valueIs('path_from_root[0].id', '{root}'), valueIs('path_from_root[1].id', '{child}')],
  },
  {
    section: '2.14',
    as: 'nobody',
    says: 'the attributes of a category have their fields',
    ask: 'GET /categories/{predicted}/attributes',
    gives: 200,
    body: [attribute],
    holds: [hasLength('', { least: 1 })],
  },
  {
    ...unknown,
    says: 'an unknown category is not found',
    ask: 'GET /categories/{site}000000000001',
  },
  { ...unknown, says: 'an unknown site is not found', ask: 'GET /sites/XXX/categories' },
  {
    section: '2.15',
    as: 'nobody',
    says: 'a domain and a category are predicted for a title',
    ask: `${discover}?q={title}`,
    gives: 200,
    body: [domainDiscovery],
    holds: [hasLength('', { least: 1, most: 4 })],
  },
  ...[1, 2, 8].map(
    (limit): ConformCheck => ({
      ...nobody,
      says: `limit=${limit} returns at most ${limit} predictions`,
      gives: 200,
      ask: `${discover}?q={title}&limit=${limit}`,
      body: [domainDiscovery],
      holds: [hasLength('', { least: 1, most: limit })],
    }),
  ),
  ...['core', 'classified'].map(
    (target): ConformCheck => ({
      ...nobody,
      says: `target=${target} is accepted for predictions`,
      gives: 200,
      body: [domainDiscovery],
      ask: `${discover}?q={title}&target=${target}`,
    }),
  ),
  ...['limit=0', 'limit=9', 'limit=x'].map(
    (limit): ConformCheck => ({
      ...refused,
      section: '8',
      says: `limit=${limit} is refused for predictions`,
      ask: `${discover}?q={title}&${limit}`,
      body: refusal,
    }),
  ),
  { ...refused, says: 'predictions without a title are refused', ask: discover, body: refusal },
  {
    section: '2.16',
    as: 'nobody',
    says: 'the top values of an attribute are read',
    ask: topValues,
    gives: 200,
    body: [{ id: 'text', name: 'text', metric: 'a whole number' }],
    holds: [sorted('', 'metric', 'descending')],
  },
  {
    ...nobody,
    says: 'top values are limited to one',
    ask: `${topValues}?limit=1`,
    gives: 200,
    holds: [hasLength('', { most: 1 })],
  },
  {
    ...nobody,
    says: 'top values are ranked by new listings',
    ask: `${topValues}?metric_type=NOL_90`,
    gives: 200,
  },
  {
    ...nobody,
    says: 'top values are narrowed by known attributes',
    ask: topValues,
    gives: 200,
    send: { known_attributes: [{ id: '{attribute}', value_id: '{value}' }] },
    body: [{ id: 'text', name: 'text', metric: 'a whole number' }],
  },
  ...['limit=1001', 'limit=0', 'metric_type=SOLD'].map(
    (query): ConformCheck => ({
      ...refused,
      section: '8',
      says: `top values with ${query} are refused`,
      ask: `${topValues}?${query}`,
      body: refusal,
    }),
  ),
  {
    ...nobody,
    says: 'the whole tree is compressed, with its creation date, MD5 and lifetime',
    ask: 'GET /sites/{site}/categories/all',
    gives: 200,
    head: {
      'content-encoding': /^gzip$/,
      'x-content-created': /^\d{4}-\d\d-\d\dT/,
      'x-content-md5': /^[0-9a-f]{32}$|^[A-Za-z0-9+/]{22}==$/,
      'cache-control': /max-age=300/,
    },
    holds: [
      responsePasses(
        'a tree',
        (body: object) => typeof body === 'object' && Object.keys(body).length > 10,
      ),
    ],
  },
  {
    ...nobody,
    says: 'the tree is an object of categories by id',
    ask: 'GET /sites/{site}/categories/all',
    gives: 200,
    open: true,
    holds: [
      responsePasses(
        'every key to be the id of its category',
        (body: ResponseBody<'/sites/{site_id}/categories/all', 'get'>) =>
          Object.entries(body).every(([id, category]) => category.id === id),
      ),
    ],
  },
  ...searchChecks(),
  {
    ...nobody,
    says: 'a search describes itself',
    ask: `OPTIONS${search.slice(3)}`,
    gives: 200,
    body: { name: 'text', description: 'text', methods: 'a list' },
  },
  {
    section: '4.3',
    says: 'a currency converts into another one',
    gives: 200,
    ask: 'GET /currency_conversions/search?from={rated_currency}&to=USD',
    body: { ratio: 'a number' },
  },
  {
    section: '2.8',
    says: 'a currency is worth one of itself',
    gives: 200,
    open: true,
    ask: 'GET /currency_conversions/search?from={currency}&to={currency}',
    holds: [valueIs('ratio', 1)],
  },
]

function searchChecks(): ConformCheck[] {
  return [
    {
      ...nobody,
      says: 'listings are found by words',
      ask: `${search}?q={word}`,
      gives: 200,
      body: listingSearchShape,
      holds: [valueIs('site_id', '{site}')],
    },
    {
      ...nobody,
      section: '8',
      says: 'a page has offset 0 and limit 50 by default',
      ask: `${search}?q={word}`,
      gives: 200,
      holds: [valueIs('paging.offset', 0), valueIs('paging.limit', 50)],
    },
    {
      ...nobody,
      says: 'listings are found by category',
      ask: `${search}?category={root}`,
      gives: 200,
      body: listingSearchShape,
    },
    {
      ...nobody,
      says: 'listings of a category are found at its short path',
      gives: 200,
      body: listingSearchShape,
      ask: 'GET /{site}/search?category={root}',
    },
    {
      ...nobody,
      says: 'limit sets the length of a page',
      ask: `${search}?q={word}&limit=1`,
      gives: 200,
      holds: [valueIs('paging.limit', 1), hasLength('results', { most: 1 })],
    },
    {
      ...nobody,
      says: 'offset sets the beginning of a page',
      ask: `${search}?q={word}&offset=1`,
      gives: 200,
      holds: [valueIs('paging.offset', 1)],
    },
    ...(['ascending', 'descending'] as const).map(
      (order): ConformCheck => ({
        ...nobody,
        open: true,
        says: `listings are sorted by price, ${order}`,
        gives: 200,
        ask: `${search}?category={category}&sort=price_${order === 'ascending' ? 'asc' : 'desc'}`,
        holds: [sorted('results', 'price', order)],
      }),
    ),
    {
      ...nobody,
      open: true,
      says: 'every listing in the results has its fields',
      gives: 200,
      ask: `${search}?category={category}`,
      holds: [
        eachIs('results', 'site_id', '{site}'),
        responsePasses(
          'id, title and price of each',
          ({ results }: ResponseBody<'/sites/{site_id}/search', 'get'>) =>
            results.every(({ id, title }) => id && title),
        ),
      ],
    },
    { ...refused, open: true, says: 'a search without any filter is refused', ask: search },
    ...['limit=0', 'limit=-1', 'offset=-1', 'limit=x'].map(
      (query): ConformCheck => ({
        ...refused,
        open: true,
        says: `a search of listings with ${query} is refused`,
        ask: `${search}?q={word}&${query}`,
        body: refusal,
      }),
    ),
  ]
}
