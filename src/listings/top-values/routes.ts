import { type Static, Type } from 'typebox'
import { siteOf } from '../../catalog/catalog.ts'
import { makeBodyCheck } from '../../http/check.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { dayMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { Text } from '../../kernel/schema.ts'
import { countTopValues } from './store.ts'

/** The metric NOL_90 counts new listings of this many days. */
const metricDays = 90
const defaultLimit = 10
const maxKnownAttributes = 20

const TopValuesBody = Type.Object({
  known_attributes: Type.Optional(
    Type.Array(Type.Object({ id: Text(60), value_id: Text(255) }), {
      maxItems: maxKnownAttributes,
      description: 'Values that the counted listings must have.',
    }),
  ),
})
const checkTopValuesBody = makeBodyCheck(TopValuesBody)

const topValues = route({
  method: 'POST',
  url: '/catalog_domains/:domain_id/attributes/:attribute_id/top_values',
  scope: 'public',
  tag: 'Sites and categories',
  summary: 'List the most used values of an attribute',
  description: `Returns the values of an attribute that most new listings of a domain have. \`metric\` counts the listings created in the last ${metricDays} days, of any status. With \`known_attributes\` it counts only listings that have all of these values. 404 \`not_found\`: there is no such domain, or it has no such attribute.`,
  refuses: { not_found: 'Domain not found: MLA-UNKNOWN' },
  params: Type.Object({ domain_id: Type.String(), attribute_id: Type.String() }),
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Number of values. Default: 10.' }),
    ),
    metric_type: Type.Optional(Type.Enum(['NOL_90'])),
  }),
  body: TopValuesBody,
  // The body is optional.
  checksBodyItself: true,
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
    const domain = siteId && ctx.catalog.served.catalog.tree(siteId).domains.get(id)
    if (!domain) throw new Failure('not_found', `Domain not found: ${id}`)
    if (!domain.source.attributes.some((attribute) => attribute.id === attributeId)) {
      throw new Failure('not_found', `Attribute not found: ${attributeId} of ${id}`)
    }
    const { known_attributes: knownAttributes = [] } = (
      body ? checkTopValuesBody(body) : {}
    ) as Static<typeof TopValuesBody>
    const values = await countTopValues(ctx.db, {
      categoryIds: domain.categories.map((category) => category.id),
      attributeId,
      knownValues: knownAttributes.map(({ id, value_id }) => ({
        attributeId: id,
        valueId: value_id,
      })),
      since: new Date(ctx.now().getTime() - metricDays * dayMs),
      limit: query.limit ?? defaultLimit,
    })
    return ok(values)
  },
})

export const topValueRoutes: Route[] = [topValues]
