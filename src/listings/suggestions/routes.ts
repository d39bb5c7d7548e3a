import { Type } from 'typebox'
import { ok, type Route, route } from '../../http/route.ts'
import { badField, Failure } from '../../kernel/failure.ts'
import { Bounded } from '../../kernel/schema.ts'
import { type SiteId, siteIds } from '../../kernel/sites.ts'
import { maxTextLength, suggestQueries } from './site-suggestions.ts'

const [defaultLimit, maxLimit] = [6, 20]

const AutosuggestQuery = Type.Object({
  q: Type.Optional(Bounded(20_000, `What is typed so far. At most ${maxTextLength} characters.`)),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Number of suggestions. Default: ${defaultLimit}. At most ${maxLimit} are returned.`,
    }),
  ),
})

const AutosuggestAnswer = Type.Object({
  q: Type.String({ description: 'What was typed.' }),
  suggested_queries: Type.Array(
    Type.Object({
      q: Type.String({ description: 'A text to search for.' }),
      match_start: Type.Integer({
        minimum: 0,
        description: 'Where the part that was typed begins, in UTF-16 units.',
      }),
      match_end: Type.Integer({
        minimum: 0,
        description: 'Where it ends. Both are 0 when no part was typed.',
      }),
      is_verified_store: Type.Boolean({ description: 'Always false.' }),
    }),
  ),
  filter_logos: Type.Array(Type.Unknown(), { description: 'Always empty.' }),
})

const autosuggest = route({
  method: 'GET',
  url: '/sites/:site_id/autosuggest',
  scope: 'public',
  tag: 'Sites and categories',
  summary: 'Suggest searches',
  description:
    'Completes what is typed into a search box with texts that find listings, the most useful first. A suggestion has all words of `q` and completes the last one; case, accents and plural forms do not matter. When nothing completes it, misspellings are corrected. Show the part from `match_start` to `match_end` as typed. Suggestions may lag behind listings by some minutes on large sites. 404 `not_found`: there is no such site.',
  refuses: { not_found: 'Site not found: XXX' },
  fromMemory: true,
  params: Type.Object({ site_id: Type.String() }),
  query: AutosuggestQuery,
  answers: { 200: AutosuggestAnswer },
  async handle(ctx, { params, query }) {
    const { q, limit = defaultLimit } = query
    if (!siteIds.includes(params.site_id as SiteId)) {
      throw new Failure('not_found', `Site not found: ${params.site_id}`)
    }
    const siteId = params.site_id as SiteId
    if (q === undefined || q.trim().length > maxTextLength) {
      throw badField('q', `at most ${maxTextLength} characters`)
    }
    const suggestions = await suggestQueries(ctx, { siteId, q, limit: Math.min(limit, maxLimit) })
    return ok({
      q,
      suggested_queries: suggestions.map(({ text, matchStart, matchEnd }) => ({
        q: text,
        match_start: matchStart,
        match_end: matchEnd,
        is_verified_store: false,
      })),
      filter_logos: [],
    })
  },
})

/** Public suggestions of a search box. */
export const suggestionRoutes: Route[] = [autosuggest]
