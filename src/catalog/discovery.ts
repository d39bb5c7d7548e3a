import { Type } from 'typebox'
import { okJsonText, type Route, route } from '../http/route.ts'
import { siteInPath } from '../http/site-rule.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { Bounded } from '../kernel/schema.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { confidenceDepth } from '../predictor/confidence.ts'
import { type PredictionExplanation, reasonsOf, writtenFeature } from '../predictor/explanation.ts'
import type { SourceCategory } from './source/source.ts'

const targets = {
  core: ({ vertical }: SourceCategory) => vertical === 'core',
  classified: ({ vertical }: SourceCategory) => vertical !== 'core',
}

const defaultLimit = 4
/** Limit of names in an explanation. A category may have dozens with one word of the title. */
const maxNames = 5
const maxTitleLength = 500

const Explanation = Type.Object({
  probability: Type.Number({ minimum: 0, maximum: 1 }),
  reasons: Type.Array(Type.String()),
  score: Type.Number(),
  from_names: Type.Number(),
  from_listings: Type.Number(),
  from_neighbours: Type.Number(),
  names: Type.Array(
    Type.Object({
      text: Type.String(),
      kind: Type.Enum(['name', 'alias']),
      words: Type.Array(Type.String()),
      score: Type.Number(),
    }),
  ),
  words: Type.Array(
    Type.Object({
      text: Type.String(),
      share: Type.Number({ minimum: 0, maximum: 1 }),
      listings: Type.Number(),
      total: Type.Number(),
    }),
  ),
})

const getDiscovery = route({
  method: 'GET',
  url: '/sites/:site_id/domain_discovery/search',
  scope: 'public',
  permission: 'catalog:read',
  sites: siteInPath,
  fromMemory: true,
  tag: 'Sites and categories',
  summary: 'Predict the category of a title',
  description:
    "Predicts the category and the domain (the product type) of an item from its title: returns the most probable categories, the best first, 4 by default. Each has the attribute values that the title names. `target` selects goods (`core`) or classifieds (`classified`: real estate, motors, services). The list is empty if no word of the title is known. With `explain=true` and the operator's token, each category has an `explanation`: its probability, what decided in words, and the parts of its score. Without that token, `explain=true` answers 401 `operator_only`. An empty title and one of more than 500 characters answer 400 `bad_request`, an unknown site 404 `not_found`.",
  refuses: {
    bad_request: 'q: expected a title of 1 to 500 characters',
    operator_parameter: 'explain',
    not_found: 'Site not found: XXX',
  },
  params: Type.Object({ site_id: Type.String() }),
  query: Type.Object({
    q: Bounded(
      20_000,
      `The title, 1 to ${maxTitleLength} characters. A longer one is refused with a message of its own`,
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8, description: 'Most categories. Default: 4' }),
    ),
    target: Type.Optional(
      Type.Enum(['core', 'classified'], {
        description: '`core`: goods only. `classified`: classifieds only. Default: both',
      }),
    ),
    explain: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: '`true` explains the scores. Takes the operator’s token. Default: `false`',
      }),
    ),
  }),
  answers: {
    200: Type.Array(
      Type.Object({
        domain_id: Type.String(),
        domain_name: Type.String(),
        category_id: Type.String(),
        category_name: Type.String(),
        attributes: Type.Array(
          Type.Object({
            id: Type.String(),
            value_id: Type.Union([Type.String(), Type.Null()]),
            value_name: Type.String(),
          }),
        ),
        explanation: Type.Optional(Explanation),
      }),
    ),
  },
  async handle(ctx, { params, query, operator }) {
    const explains = query.explain === 'true'
    if (explains && !operator) {
      throw new Failure('operator_parameter', 'explain')
    }
    const siteId = params.site_id as SiteId
    if (!siteIds.includes(siteId)) throw new Failure('not_found', `Site not found: ${siteId}`)
    const title = query.q.trim()
    if (title === '' || title.length > maxTitleLength) {
      throw badField('q', `a title of 1 to ${maxTitleLength} characters`)
    }
    const { catalog } = ctx.catalog.served
    const { limit = defaultLimit, target } = query
    const accepts = target ? targets[target] : () => true
    const predictor = catalog.predictor(siteId)
    const learned = ctx.trainedModels.modelOf(siteId)
    // The scores of further categories tell how probable the first ones are.
    const depth = explains ? confidenceDepth : limit
    const predictions = predictor.predict(title, { limit: depth, accepts, model: learned })
    const guesses = predictions.slice(0, limit)
    const probabilities = explains ? predictor.probabilitiesOf(title, predictions, learned) : []
    const explain = (source: SourceCategory) => {
      const rank = guesses.findIndex(({ category }) => category === source)
      const probability = probabilities[rank] ?? 0
      return renderExplanation(predictor.explain(title, source, learned), probability)
    }
    const proposals = catalog.renderPredictions(title, {
      siteId,
      categories: guesses.map(({ category }) => category),
      explain: explains ? explain : undefined,
    })
    return okJsonText(`[${proposals.join()}]`)
  },
})

function renderExplanation(explanation: PredictionExplanation, probability: number): object {
  const { nameScore, modelScore, siblingScore, names, words, written } = explanation
  return {
    probability: rounded(probability),
    reasons: reasonsOf(explanation),
    score: rounded(nameScore + modelScore + siblingScore),
    from_names: rounded(nameScore),
    from_listings: rounded(modelScore),
    from_neighbours: rounded(siblingScore),
    names: names.slice(0, maxNames).map(({ words, score, ...name }) => ({
      ...name,
      words: words.map((stem) => written.get(stem) ?? stem),
      score: rounded(score),
    })),
    words: words.map(({ text, share, listings, total }) => ({
      text: `${text.startsWith('^') ? '^' : ''}${writtenFeature(text, written)}`,
      share: rounded(share),
      listings,
      total,
    })),
  }
}

const rounded = (score: number) => Math.round(score * 10_000) / 10_000

export const discoveryRoutes: Route[] = [getDiscovery]
