import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { badField, Failure } from '../kernel/failure.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { shelfOf } from './open.ts'
import { attributesIn, partsOf } from './predictor/attributes.ts'
import type { Category } from './tree/tree.ts'

const targets = {
  core: ({ source }: Category) => source.vertical === 'core',
  classified: ({ source }: Category) => source.vertical !== 'core',
}

const usualLimit = 4
const longestTitle = 500

const getDiscovery = route({
  method: 'GET',
  url: '/sites/:site_id/domain_discovery/search',
  scope: 'public',
  tag: 'Sites and categories',
  summary: 'The categories that a title most probably belongs to',
  description:
    'Contract 2.15, 4.4: the likeliest first, each with what the title says of its attributes. `target`: `core` for what is sold, `classified` for what is advertised. None where no word of the title is known.',
  params: Type.Object({ site_id: Type.String() }),
  query: Type.Object({
    q: Type.String(),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 8 })),
    target: Type.Optional(Type.Enum(['core', 'classified'])),
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
      }),
    ),
  },
  async handle(ctx, { params, query }) {
    const siteId = params.site_id as SiteId
    if (!siteIds.includes(siteId)) throw new Failure('not_found', `Site not found: ${siteId}`)
    const title = query.q.trim()
    if (title === '' || title.length > longestTitle) {
      throw badField('q', `a title of 1 to ${longestTitle} characters`)
    }
    const { catalog } = shelfOf(ctx)
    const tree = catalog.tree(siteId)
    const { limit = usualLimit, target } = query
    const accepts = target ? targets[target] : () => true
    const parts = partsOf(title)
    const guesses = catalog.predictor(siteId).predict(title, { most: limit, accepts })
    return ok(
      guesses.map(({ category }) => {
        const domain = tree.domains.get(category.domainId ?? '')
        return {
          domain_id: category.domainId,
          domain_name: domain?.name ?? category.name,
          category_id: category.id,
          category_name: category.name,
          attributes: attributesIn(
            parts,
            catalog.attributes(category),
            catalog.brandsNear(category),
          ),
        }
      }),
    )
  },
})

export const discoveryRoutes: Route[] = [getDiscovery]
