import type { FastifyRequest } from 'fastify'
import type { RouteResponse } from '../route.ts'

/** Applies `?attributes=a,b` of a GET: keeps only those top-level fields of a JSON answer. Other answers stay as they
 * are. */
export function keepFields(
  answer: RouteResponse,
  request: Pick<FastifyRequest, 'method' | 'query'>,
): RouteResponse {
  const { attributes } = request.query as Record<string, unknown>
  const names = Array.isArray(attributes) ? attributes.join() : attributes
  if (request.method !== 'GET' || typeof names !== 'string' || names === '') return answer
  if (answer.status >= 300 || answer.status === 204) return answer
  if (answer.headers?.['content-type'] !== undefined) return answer
  const { text, ...rest } = answer
  const body: unknown = text === undefined ? answer.body : JSON.parse(text)
  const fields = new Set(names.split(','))
  return {
    ...rest,
    body: Array.isArray(body) ? body.map((item) => keepOfItem(item, fields)) : keep(body, fields),
  }
}

/** Keeps the fields of a list item. Items of a multi-get are `{ code, body }`: only the body of a found one is cut. */
function keepOfItem(item: unknown, fields: ReadonlySet<string>): unknown {
  const isMultiGet = item !== null && typeof item === 'object' && 'code' in item && 'body' in item
  if (!isMultiGet) return keep(item, fields)
  return item.code === 200 ? { code: 200, body: keep(item.body, fields) } : item
}

function keep(body: unknown, fields: ReadonlySet<string>): unknown {
  if (body === null || typeof body !== 'object') return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.has(name)))
}
