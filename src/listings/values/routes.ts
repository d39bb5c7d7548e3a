import { type Static, Type } from 'typebox'
import { siteOf } from '../../catalog/catalog.ts'
import { servedCatalogOf } from '../../catalog/open.ts'
import { checkBody } from '../../http/check.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Text } from '../../kernel/schema.ts'
import { countValues } from './store.ts'

/** What the one metric there is counts: new listings of so many days (contract 4.4). */
const metricDays = 90
const usualLimit = 10
const mostKnown = 20

const SelectedValue = Type.Object({
  known_attributes: Type.Optional(
    Type.Array(Type.Object({ id: Text(60), value_id: Text(255) }), { maxItems: mostKnown }),
  ),
})
const checkKnown = checkBody(SelectedValue)

const topValues = route({
  method: 'POST',
  url: '/catalog_domains/:domain_id/attributes/:attribute_id/top_values',
  scope: 'public',
  tag: 'Sites and categories',
  summary: 'The values that most new listings have of an attribute',
  description: `Contract 2.16, 4.4. \`metric\` counts listings of the last ${metricDays} days, whatever became of them since. With \`known_attributes\`, of those only that have all of these values.`,
  params: Type.Object({ domain_id: Type.String(), attribute_id: Type.String() }),
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    metric_type: Type.Optional(Type.Enum(['NOL_90'])),
  }),
  body: SelectedValue,
  // It may be left out.
  unchecked: true,
  answers: {
    200: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        metric: Type.Integer({ minimum: 1 }),
      }),
    ),
  },
  async handle(ctx, { params, query, body }) {
    const { domain_id: id, attribute_id: attributeId } = params
    const siteId = siteOf(id)
    const domain = siteId && servedCatalogOf(ctx).catalog.tree(siteId).domains.get(id)
    if (!domain) throw new Failure('not_found', `Domain not found: ${id}`)
    if (!domain.source.attributes.some((each) => each.id === attributeId)) {
      throw new Failure('not_found', `Attribute not found: ${attributeId} of ${id}`)
    }
    const { known_attributes: known = [] } = (body ? checkKnown(body) : {}) as Static<
      typeof SelectedValue
    >
    const values = await countValues(ctx.db, {
      categoryIds: domain.categories.map((category) => category.id),
      attributeId,
      known: known.map((each) => ({ attributeId: each.id, valueId: each.value_id })),
      since: new Date(ctx.now().getTime() - metricDays * dayMs),
      limit: query.limit ?? usualLimit,
    })
    return ok(values)
  },
})

export const topValueRoutes: Route[] = [topValues]
