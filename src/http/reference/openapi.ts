import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifySchema } from 'fastify'
import { errorBodies } from '../../kernel/schema.ts'
import { isAudited, withReason } from '../audit.ts'
import { ServedText } from '../bodies/compression.ts'
import type { Route } from '../route.ts'
import { takesCondition, withCondition } from '../versioned-route.ts'
import { VersionConflictAnswer } from '../versions.ts'
import { completeDocument } from './complete.ts'
import { servePage } from './page.ts'

const packageFile = new URL('../../../package.json', import.meta.url)
export const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

/** Registers the plugin that collects later operations into an OpenAPI 3.1 document. */
async function describeRoutes(server: FastifyInstance): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Feria',
        version,
        description:
          'The HTTP interface of a marketplace: orders, payments, shipments, ratings, claims, messages after the sale, notifications of every change, and a category catalog.',
      },
      components: {
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', description: "A user's access token" },
          accessTokenInQuery: { type: 'apiKey', in: 'query', name: 'access_token' },
          operatorToken: {
            type: 'http',
            scheme: 'bearer',
            description: "The operator's token, an API key or the token of an operator's session",
          },
        },
      },
    },
  })
}

/** Returns the OpenAPI document of these operations without starting a server. */
export async function documentOf(routes: readonly Route[]): Promise<object> {
  const server = fastify()
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => (body) => JSON.stringify(body))
  await describeRoutes(server)
  for (const route of routes) {
    const { method, url } = route
    server.route({ method, url, schema: schemaOf(route), handler: () => undefined })
  }
  await server.ready()
  try {
    return completeDocument(server.swagger(), routes)
  } finally {
    await server.close()
  }
}

/** Serves the document at `/openapi.json` and the reference page at `/docs/`. `readDocument` returns the document as
 * JSON text. It is read once. */
export async function serveReference(
  server: FastifyInstance,
  readDocument: () => Promise<string>,
): Promise<void> {
  let document: Promise<ServedText> | undefined
  const readAgain = (error: unknown) => {
    document = undefined
    throw error
  }
  server.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    document ??= readDocument().then((text) => new ServedText(text), readAgain)
    return (await document).send(request, reply.type('application/json; charset=utf-8'))
  })
  await servePage(server)
}

/** Returns the Fastify schema of an operation, for the server and for the document. All errors with a status of 400 to
 * 499 share one response; `completeDocument` adds an example of each. */
export function schemaOf(route: Route): FastifySchema {
  const { params, query, body, answers, summary, description, tag, scope, streams } = route
  const ownHeaders = withCondition(route, route.headers)
  const headers = isAudited(route) ? withReason(ownHeaders) : ownHeaders
  const consumed = consumedBy(route)
  return {
    summary,
    tags: [tag],
    ...(description ? { description } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(headers ? { headers } : {}),
    ...(body ? { body } : {}),
    ...(consumed ? { consumes: consumed } : {}),
    response: {
      ...(streams === true ? asLines(answers) : withFiles(answers)),
      ...(takesCondition(route) ? { 409: VersionConflictAnswer } : {}),
      '4xx': scope === 'page' ? refusedOnPage : errorBodies[route.failures ?? 'general'],
    },
    security: securityOf(scope),
  } as FastifySchema
}

const linesType = 'application/x-ndjson'

function consumedBy({ streams, takesFiles, takesFields }: Route): string[] | undefined {
  if (streams) return [linesType]
  if (takesFiles) return ['multipart/form-data']
  return takesFields ? ['application/x-www-form-urlencoded', 'application/json'] : undefined
}

const refusedOnPage = {
  description: 'An HTML page with the error',
  content: { 'text/html': { schema: { type: 'string' } } },
}

/** Returns the responses of an operation that streams. OpenAPI 3.1 has no schema for a body of several JSON values, so
 * the schema of each status is that of one line. */
function asLines(answers: Route['answers']) {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      { description: 'One JSON value per line', content: { [linesType]: { schema } } },
    ]),
  )
}

/** Sets the media type of answers that are pages, exports (NDJSON, the only other `contentMediaType`) or files. */
function withFiles(answers: Route['answers']) {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      if ('contentMediaType' in schema) {
        const type = String(schema.contentMediaType)
        const description = type === 'text/html' ? 'An HTML page' : 'One JSON value per line'
        return [status, { description, content: { [type]: { schema } } }]
      }
      if (!('format' in schema) || schema.format !== 'binary') return [status, schema]
      return [
        status,
        { description: 'The file', content: { 'application/octet-stream': { schema } } },
      ]
    }),
  )
}

function securityOf(scope: Route['scope']) {
  if (scope === 'public' || scope === 'page') return []
  if (scope === 'operator') return [{ operatorToken: [] }]
  const tokens = [{ accessToken: [] }, { accessTokenInQuery: [] }]
  return scope === 'mixed' ? [{}, ...tokens] : tokens
}
