import type { FastifyRequest } from 'fastify'
import type { Answer } from './route.ts'

/** `?attributes=a,b` on any GET keeps only those top fields of the answer, if it is JSON (an answer of
 * another type says so). */
export function keepFields(
  answer: Answer,
  request: Pick<FastifyRequest, 'method' | 'query'>,
): Answer {
  const { attributes } = request.query as Record<string, unknown>
  const wanted = Array.isArray(attributes) ? attributes.join() : attributes
  if (request.method !== 'GET' || typeof wanted !== 'string' || wanted === '') return answer
  if (answer.status >= 300 || answer.status === 204) return answer
  if (answer.headers?.['content-type'] !== undefined) return answer
  const { text, ...rest } = answer
  const body: unknown = text === undefined ? answer.body : JSON.parse(text)
  const fields = new Set(wanted.split(','))
  return {
    ...rest,
    body: Array.isArray(body) ? body.map((each) => keepOfEach(each, fields)) : keep(body, fields),
  }
}

/** Of several resources at once, each with its code: the fields of what was found. */
function keepOfEach(each: unknown, fields: ReadonlySet<string>): unknown {
  const isOneOfMany = each !== null && typeof each === 'object' && 'code' in each && 'body' in each
  if (!isOneOfMany) return keep(each, fields)
  return each.code === 200 ? { code: 200, body: keep(each.body, fields) } : each
}

function keep(body: unknown, fields: ReadonlySet<string>): unknown {
  if (body === null || typeof body !== 'object') return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.has(name)))
}
