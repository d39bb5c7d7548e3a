import { Type } from 'typebox'
import { AliasSuggestions } from '../../catalog/learning/alias-suggestions.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { siteInQuery } from '../../http/site-rule.ts'
import { Site } from '../../kernel/schema.ts'
import { sites } from '../../kernel/sites.ts'
import { makeYielder, runInSlices } from '../../kernel/slices.ts'
import { collectTitles } from './title-sample.ts'

const defaults = { limit: 100, min_listings: 5, min_percent: 70 }

const getAliasSuggestions = route({
  method: 'GET',
  url: '/operator/catalog/alias_suggestions',
  scope: 'operator',
  permission: 'catalog:read',
  sites: siteInQuery,
  tag: 'Operator: catalog',
  summary: 'Suggest aliases of categories',
  description:
    'Returns words and pairs of words that name a category of a site by its listings, but by no name or alias, the most useful first. The predictor has learned them already on this site; as aliases, they also work on new sites and do not fade. Brands of the catalog are left out. At most 100,000 titles are read, so on a large site rare words may be missing. Import those that you accept with `POST /operator/catalog/aliases`.',
  query: Type.Object({
    site_id: { ...Site, description: 'The site that has learned' },
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: `Most suggestions. Default: ${defaults.limit}`,
      }),
    ),
    min_listings: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: `Fewest listings of the category with the words. Default: ${defaults.min_listings}`,
      }),
    ),
    min_percent: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 100,
        description: `Least share of the category among all listings with the words, in percent. Default: ${defaults.min_percent}`,
      }),
    ),
  }),
  answers: {
    200: Type.Object({
      titles_read: Type.Integer({
        minimum: 0,
        description: 'How many titles of listings were read for the words',
      }),
      suggestions: Type.Array(
        Type.Object({
          category_id: Type.String(),
          category_name: Type.String(),
          alias: Type.String({
            description: 'The words, as a title writes them',
            examples: ['heladera'],
          }),
          listings: Type.Number({
            description: 'Listings of the category with the words. Old ones count less',
          }),
          share: Type.Number({ description: 'Their share of all listings with the words' }),
        }),
      ),
    }),
  },
  async handle(ctx, { query }) {
    const { site_id: siteId, limit, min_listings, min_percent } = { ...defaults, ...query }
    const { catalog } = ctx.catalog.served
    const model = ctx.trainedModels.modelOf(siteId)
    if (!model) return ok({ titles_read: 0, suggestions: [] })
    const suggestions = new AliasSuggestions(
      { predictor: catalog.predictor(siteId), model },
      { minListings: min_listings, minShare: min_percent / 100 },
    )
    const breathe = makeYielder()
    const titlesRead = await collectTitles(ctx.db, siteId, async (titles) =>
      runInSlices(suggestions.collect(titles), breathe),
    )
    const list = await runInSlices(suggestions.list(catalog.source.domains, limit), breathe)
    return ok({
      titles_read: titlesRead,
      suggestions: list.map(({ category, text, listings, share }) => ({
        category_id: `${siteId}${category.number}`,
        category_name: category.names[sites[siteId].language],
        alias: text,
        listings: Math.round(listings * 10) / 10,
        share: Math.round(share * 10_000) / 10_000,
      })),
    })
  },
})

/** The operations on what the predictor has learned. */
export const learningAdminRoutes: Route[] = [getAliasSuggestions]
