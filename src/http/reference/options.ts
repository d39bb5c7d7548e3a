import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { CountRequest } from '../limits.ts'
import { isOperatorRoute, type Route } from '../route.ts'

/** Returns whether pages of any origin may read the answers of an operation. */
export const isOpen = ({ scope, sameOrigin }: Pick<Route, 'scope' | 'sameOrigin'>) =>
  !sameOrigin && (scope === 'public' || scope === 'mixed')

/** Returns whether a token request contains the secret of an application. Before the body is read, it looks only at
 * headers and query. */
export function presentsSecret({
  headers,
  query,
  body,
}: Pick<FastifyRequest, 'headers' | 'query' | 'body'>): boolean {
  if (headers.authorization !== undefined) return true
  return [query, body].some((fields) => {
    const { client_secret = '' } = (fields ?? {}) as { client_secret?: unknown }
    return client_secret !== ''
  })
}

/** Registers `OPTIONS` for every resource except the operator's: it describes the resource and answers CORS
 * preflights. */
export function describeResources(
  server: FastifyInstance,
  { routes, count }: { routes: readonly Route[]; count: CountRequest },
): void {
  const resources = Map.groupBy(
    routes.filter((route) => !isOperatorRoute(route)),
    ({ url }) => url,
  )
  for (const [url, operations] of resources) {
    const description = JSON.stringify(descriptionOf(operations))
    const methods = [...new Set(operations.map(({ method }) => method)), 'OPTIONS'].join(', ')
    const open = operations.filter(isOpen).map(({ method }) => method)
    server.options(url, {
      schema: { hide: true },
      onRequest: async (request, reply) => count(request, reply),
      handler: (request, reply) => {
        reply.header('allow', methods)
        const isPreflight = request.headers['access-control-request-method'] !== undefined
        return isPreflight
          ? answerPreflight(request, { reply, open })
          : describe(reply, description)
      },
    })
  }
}

function describe(reply: FastifyReply, description: string): FastifyReply {
  reply.header('access-control-allow-origin', '*')
  return reply.header('content-type', 'application/json; charset=utf-8').send(description)
}

/** Answers a CORS preflight. Pages of any origin may use the public operations and no others. */
function answerPreflight(
  { headers }: FastifyRequest,
  { reply, open }: { reply: FastifyReply; open: readonly string[] },
): FastifyReply {
  reply.status(204).header('vary', 'access-control-request-method, access-control-request-headers')
  if (open.length === 0) return reply.send()
  const requestedHeaders = headers['access-control-request-headers']
  return reply
    .headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': open.join(', '),
      'access-control-max-age': '86400',
      ...(typeof requestedHeaders === 'string'
        ? { 'access-control-allow-headers': requestedHeaders }
        : {}),
    })
    .send()
}

/** Renders the answer to OPTIONS on a path: its methods, the fields of its answers, and related resources. */
function descriptionOf(operations: readonly Route[]): object {
  const [first] = operations
  const fields = Object.assign({}, ...operations.map(answerFields)) as Record<string, string>
  return {
    name: first?.summary ?? '',
    description: first?.description ?? first?.summary ?? '',
    attributes: fields,
    methods: operations.map((operation) => ({
      method: operation.method,
      example: examplePath(operation),
      description: operation.summary,
    })),
    related_resources: [],
    connections: Object.fromEntries(
      Object.entries(connections).filter(([field]) => field in fields),
    ),
  }
}

/** The path of the resource that a field identifies. */
const connections: Readonly<Record<string, string>> = {
  site_id: '/sites/{id}',
  category_id: '/categories/{id}',
  item_id: '/items/{id}',
  order_id: '/orders/{id}',
  pack_id: '/packs/{id}',
  shipment_id: '/shipments/{id}',
  claim_id: '/v1/claims/{id}',
  question_id: '/questions/{id}',
}

/** Returns the fields of an answer, or of its list items, with their types. */
function answerFields({ answers }: Route): Record<string, string> {
  const [answer] = Object.values(answers) as (TSchema & DescribedSchema)[]
  const properties = answer?.properties ?? answer?.items?.properties ?? {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, typeNameOf(property)]),
  )
}

interface DescribedSchema {
  type?: string
  description?: string
  properties?: Record<string, DescribedSchema>
  items?: DescribedSchema
  anyOf?: DescribedSchema[]
  enum?: unknown[]
}

function typeNameOf({ type, description, anyOf, enum: values }: DescribedSchema): string {
  if (description) return description
  if (values) return `one of ${values.join(', ')}`
  if (anyOf) return anyOf.map(typeNameOf).join(' or ')
  return type ?? 'any'
}

/** Returns the path with its parameters: `/sites/{site_id}/search?q={q}`. */
function examplePath({ url, query }: Route): string {
  const path = url.replace(/:([a-z_]+)/g, '{$1}')
  const names = Object.keys((query as DescribedSchema | undefined)?.properties ?? {})
  return names.length === 0 ? path : `${path}?${names.map((name) => `${name}={${name}}`).join('&')}`
}
