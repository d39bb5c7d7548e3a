import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './openapi.ts'

/** Postman collection format 2.1: the parts that Feria uses. */
export interface PostmanCollection {
  info: { name: string; description: string; version: string; schema: string }
  variable: { key: string; value: string; description: string }[]
  auth: PostmanAuth
  item: { name: string; description: string; item: PostmanItem[] }[]
}
interface PostmanItem {
  name: string
  request: PostmanRequest
}
interface PostmanRequest {
  method: string
  description?: string
  /** Without it, a request has the auth of the collection. */
  auth?: PostmanAuth
  header: PostmanPair[]
  url: {
    raw: string
    host: string[]
    path: string[]
    query?: PostmanPair[]
    variable?: PostmanPair[]
  }
  body?: PostmanBody
}
type PostmanAuth =
  | { type: 'noauth' }
  | { type: 'bearer'; bearer: [{ key: 'token'; value: string; type: 'string' }] }
interface PostmanPair {
  key: string
  value: string
  description?: string
  disabled?: boolean
}
type PostmanBody =
  | { mode: 'raw'; raw: string; options?: { raw: { language: 'json' } } }
  | { mode: 'urlencoded'; urlencoded: PostmanPair[] }
  | { mode: 'formdata'; formdata: { key: string; type: 'file'; src: [] }[] }

const bearer = (variable: string): PostmanAuth => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})

/** Returns docs/feria.postman_collection.json, with a folder for each tag and a request for each operation. */
export function postmanCollection(document: OpenApiDocument): PostmanCollection {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: itemOf(method.toUpperCase(), path, operation),
    })),
  )
  return {
    info: {
      name: document.info.title,
      description: `${document.info.description}\n\nSet the variables \`base_url\`, \`access_token\` and \`operator_token\`. A sandbox prints both tokens when it starts.`,
      version: document.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      {
        key: 'base_url',
        value: 'http://127.0.0.1:8080',
        description: 'Address of the server, without a slash at the end.',
      },
      { key: 'access_token', value: '', description: 'Access token of a user.' },
      {
        key: 'operator_token',
        value: 'feria-sandbox-operator',
        description: 'Operator token. The value is the default of a sandbox.',
      },
    ],
    auth: bearer('access_token'),
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  }
}

function itemOf(method: string, path: string, operation: OpenApiOperation): PostmanItem {
  const parameters = operation.parameters ?? []
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const auth = authOf(operation)
  // Postman writes a path parameter as a segment `:name`; one inside a segment becomes a variable of the collection.
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  const query = parameters.filter((each) => each.in === 'query')
  const inPath = parameters.filter((each) => each.in === 'path')
  return {
    name: operation.summary,
    request: {
      method,
      ...(operation.description ? { description: operation.description } : {}),
      ...(auth ? { auth } : {}),
      header: [
        ...(type && type !== 'multipart/form-data' ? [{ key: 'Content-Type', value: type }] : []),
        ...parameters.filter((each) => each.in === 'header').map(pairOf),
      ],
      url: {
        raw: `{{base_url}}/${segments.join('/')}`,
        host: ['{{base_url}}'],
        path: segments,
        ...(query.length > 0 ? { query: query.map(pairOf) } : {}),
        ...(inPath.length > 0
          ? { variable: inPath.map((each) => ({ ...pairOf(each), disabled: false })) }
          : {}),
      },
      ...(type ? { body: bodyOf(type, content?.example) } : {}),
    },
  }
}

/** Returns undefined for an operation that takes the access token of the collection. */
function authOf({ security }: OpenApiOperation): PostmanAuth | undefined {
  const schemes = security.flatMap((requirement) => Object.keys(requirement))
  if (schemes.includes('accessToken')) return undefined
  return schemes.includes('operatorToken') ? bearer('operator_token') : { type: 'noauth' }
}

/** Optional parameters are disabled, so that a request works before anybody edits it. */
function pairOf({ name, example, description, required }: OpenApiParameter): PostmanPair {
  return {
    key: name,
    value: textOf(example),
    ...(description ? { description } : {}),
    ...(required ? {} : { disabled: true }),
  }
}

function bodyOf(type: string, example: unknown): PostmanBody {
  if (type === 'application/x-www-form-urlencoded') {
    return { mode: 'urlencoded', urlencoded: fieldsOf(example) }
  }
  if (type === 'multipart/form-data') {
    return {
      mode: 'formdata',
      formdata: fieldsOf(example).map(({ key }) => ({ key, type: 'file', src: [] })),
    }
  }
  const isLines = type === 'application/x-ndjson'
  return {
    mode: 'raw',
    raw: isLines ? JSON.stringify(example) : JSON.stringify(example, null, 2),
    ...(isLines ? {} : { options: { raw: { language: 'json' } } }),
  }
}

function fieldsOf(example: unknown): PostmanPair[] {
  return Object.entries((example ?? {}) as object).map(([key, value]) => {
    return { key, value: textOf(value) }
  })
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
