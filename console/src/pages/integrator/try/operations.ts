import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'

/** What the API explorer reads of one operation in the OpenAPI document. */
export interface Operation {
  /** `GET /orders/{id}` */
  name: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  parameters: readonly Parameter[]
  /** Where it takes JSON: something like what it expects. */
  example: string | undefined
  /** It takes or answers something else than JSON. */
  hasOwnForm: boolean
  authScheme: 'nobody' | 'user' | 'operator'
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  choices: readonly string[]
}

interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  description?: string
}
type MediaTypes = Record<string, { schema: JsonSchema }>
interface OpenApiOperation {
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: (Omit<Parameter, 'choices'> & { schema: JsonSchema })[]
  requestBody?: { content: MediaTypes }
  responses?: Record<string, { content?: MediaTypes }>
}
interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>
}

export function useOperations() {
  return useQuery({
    queryKey: ['operations'],
    queryFn: async ({ signal }) =>
      operationsOf(await callApi<OpenApiDocument>('GET', '/openapi.json', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(method, path, described)),
  )
}

const json = 'application/json'

function operationOf(method: string, path: string, described: OpenApiOperation): Operation {
  const { summary = '', description = '', tags = [], parameters = [] } = described
  const requestContent = described.requestBody?.content
  const responseTypes = Object.entries(described.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.keys(content ?? { [json]: {} }))
  const body = requestContent?.[json]?.schema
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    summary,
    description,
    parameters: parameters.map(({ schema, ...rest }) => ({
      ...rest,
      required: rest.required ?? false,
      description: rest.description ?? schema.description ?? '',
      choices: (schema.enum ?? []).map(String),
    })),
    example: body && JSON.stringify(exampleOf(body, 0), null, 2),
    hasOwnForm: (requestContent !== undefined && !body) || !responseTypes.includes(json),
    authScheme: authSchemeOf(described.security),
  }
}

function authSchemeOf(security: OpenApiOperation['security'] = []): Operation['authScheme'] {
  if (security.some((each) => 'operatorToken' in each)) return 'operator'
  return security.some((each) => 'accessToken' in each) ? 'user' : 'nobody'
}

const maxExampleDepth = 6

/** Something of this shape, with what is required alone, to be changed by hand. */
function exampleOf(schema: JsonSchema, depth: number): unknown {
  if (depth > maxExampleDepth) return null
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], depth + 1)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties) {
    const required = schema.required ?? []
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => required.includes(name))
        .map(([name, each]) => [name, exampleOf(each, depth + 1)]),
    )
  }
  if (type === 'array') return schema.items ? [exampleOf(schema.items, depth + 1)] : []
  if (type === 'integer' || type === 'number') return 1
  return type === 'boolean' ? false : type === 'null' ? null : ''
}
