import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import '../check.ts'
import { routes } from '../../app/routes.ts'
import { failures } from '../../kernel/failure.ts'
import { exampleOf, type JsonSchema, requestOf } from './examples.ts'
import { descriptionOf, mayHoldNull } from './fields.ts'
import { groups } from './groups.ts'
import { documentOf } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is looked into at every depth
type Json = any

const document = (await documentOf(routes)) as Json
const operations: { name: string; definition: Json }[] = Object.entries<Json>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, definition]) => ({
    name: `${method.toUpperCase()} ${path}`,
    definition,
  })),
)

/** Fails with every operation that lacks something at once. */
function hold(lacking: string[], what: string): void {
  assert.deepEqual(lacking, [], what)
}

const fits = (schema: Json, value: unknown) => Compile(schema).Check(value)

/** The contents of an operation's body and answers that are JSON, one by one. */
function* contentsOf({ name, definition }: { name: string; definition: Json }) {
  const bodies = { body: definition.requestBody ?? {}, ...definition.responses }
  for (const [where, { content = {} }] of Object.entries<Json>(bodies)) {
    for (const [type, mediaType] of Object.entries<Json>(content)) {
      yield { label: `${name} ${where} ${type}`, where, type, ...mediaType }
    }
  }
}

test('every operation has a summary, and every group a description', () => {
  assert.equal(operations.length, routes.length)
  hold(
    operations.filter(({ definition }) => !definition.summary).map(({ name }) => name),
    'a summary',
  )
  const tags = [...new Set(routes.map(({ tag }) => tag))]
  assert.deepEqual(tags.toSorted(), Object.keys(groups).sort(), 'every group is listed')
  assert.deepEqual(
    document.tags,
    tags.map((name) => ({ name, description: groups[name]?.description })),
  )
  for (const { description } of Object.values(groups)) assert.match(description, /^[A-Z].+\.$/)
})

test('every parameter, body and answer has an example, and it is one', () => {
  hold(
    operations.flatMap(({ name, definition }) =>
      (definition.parameters ?? []).flatMap(({ name: parameter, schema, example }: Json) =>
        fits(schema, example) ? [] : [`${name} ${parameter}: ${JSON.stringify(example)}`],
      ),
    ),
    'an example of each parameter: words.ts knows words by the names of fields',
  )
  const contents = operations.flatMap((operation) => [...contentsOf(operation)])
  assert.ok(contents.length > 2 * routes.length)
  hold(
    contents
      .filter(({ where, example }) => where[1] !== 'X' && example === undefined)
      .map(({ label }) => label),
    'an example of each body and each answer',
  )
  hold(
    contents
      .filter(({ where, type, schema }) => where[1] !== 'X' && /json|form/.test(type) && schema)
      .filter(({ schema, example }) => !fits(schema, example))
      .map(({ label, example }) => `${label}: ${JSON.stringify(example)}`),
    'examples fit their schemas',
  )
})

test('every operation says how it refuses and fails, in bodies as they are answered', () => {
  const words = new Set(Object.values(failures).map(({ error }) => error as string))
  hold(
    operations.filter(({ definition }) => !definition.responses['4XX']).map(({ name }) => name),
    'refusals',
  )
  for (const operation of operations) {
    for (const { label, where, type, schema, examples } of contentsOf(operation)) {
      if (where[1] !== 'X' || type !== 'application/json') continue
      const shown = Object.values<Json>(examples ?? {})
      assert.ok(shown.length > 0, label)
      for (const { value } of shown) {
        assert.ok(fits(schema, value), `${label}: ${JSON.stringify(value)}`)
        const error = value.error ?? value.code
        assert.ok(
          words.has(error) || /invalid_request|too_many_request/.test(error),
          `${label} ${error}`,
        )
        assert.doesNotMatch(value.message, /\{[a-z]/, label)
      }
    }
  }
})

test('no example is a placeholder', () => {
  const placeholders = (value: Json): boolean =>
    Array.isArray(value)
      ? value.some(placeholders)
      : value !== null && typeof value === 'object'
        ? Object.entries(value).some(([field, part]) => field !== 'type' && placeholders(part))
        : typeof value === 'string' && /^text\.*$/.test(value)
  hold(
    operations.flatMap((operation) => [
      ...(operation.definition.parameters ?? [])
        .filter(({ example }: Json) => placeholders(example))
        .map(({ name }: Json) => `${operation.name} ${name}`),
      ...[...contentsOf(operation)]
        .filter(({ where, example }) => where[1] !== 'X' && placeholders(example))
        .map(({ label }) => label),
    ]),
    'an example of its own: words.ts knows words by the names of fields',
  )
})

test('an operation names in its description the errors that it shows, and shows those that it names', () => {
  const errors = new Set<string>(Object.values(failures).map(({ error }) => error))
  errors.add('invalid_request')
  const problems = routes.flatMap((route) => {
    const path = route.url.replace(/:([a-z_]+)/g, '{$1}')
    const name = `${route.method} ${path}`
    if (route.scope === 'page') return []
    const { description = '', responses } = document.paths[path][route.method.toLowerCase()]
    const named = new Set(
      [...description.matchAll(/`([a-z_.]+)`/g)]
        .map(([, word]) => word as string)
        .filter((word) => errors.has(word)),
    )
    const shown = new Set<string>()
    const own = new Set<string>()
    for (const status of ['4XX', '5XX']) {
      const { examples } = responses[status].content['application/json']
      for (const [code, { value }] of Object.entries<Json>(examples)) {
        const error = value.error ?? value.code
        shown.add(error)
        if (code in (route.refuses ?? {})) own.add(error)
      }
    }
    return [
      ...[...named]
        .filter((error) => !shown.has(error))
        .map((error) => `${name} names ${error} without an example`),
      ...[...own]
        .filter((error) => !named.has(error))
        .map((error) => `${name} shows ${error} and does not name it`),
    ]
  })
  hold(problems, 'descriptions and examples name the same errors')
})

test('a description speaks of null only where the type or one of its fields has null', () => {
  const wrong = new Set<string>()
  const visit = (schema: Json, name: string, isNullable = false): void => {
    const { description, properties = {}, items, anyOf = [], allOf = [] } = schema
    const hasNull = isNullable || mayHoldNull(schema)
    if (/\bnull\b/i.test(description ?? '') && !hasNull) wrong.add(`${name}: ${description}`)
    for (const [field, part] of Object.entries(properties)) visit(part, `${name}.${field}`)
    if (items) visit(items, name, hasNull)
    for (const part of [...anyOf, ...allOf]) visit(part, name, hasNull)
  }
  for (const operation of operations) {
    for (const { schema, name } of operation.definition.parameters ?? []) {
      visit(schema, `${operation.name} ${name}`)
    }
    for (const { label, schema } of contentsOf(operation)) if (schema) visit(schema, label)
  }
  hold([...wrong], 'a description without null, or a type with it')
})

test('of a shared text, the sentences on null are left out for a type without null', () => {
  const cases: [schema: JsonSchema, description: string][] = [
    [{ type: 'integer' }, 'Height in centimeters.'],
    [
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      'Height in centimeters. Null if it is not known.',
    ],
    [{ type: 'integer', description: 'Its own. Null is zero.' }, 'Its own. Null is zero.'],
  ]
  for (const [schema, description] of cases) {
    assert.equal(descriptionOf(schema, 'height', 'dimensions'), description)
  }
})

test('an exported file is declared as it is sent: one JSON object per line, with its version', () => {
  const { headers, content } = document.paths['/operator/catalog/export'].get.responses[200]
  assert.deepEqual(Object.keys(content), ['application/x-ndjson'])
  assert.deepEqual(headers['X-Catalog-Version'].schema, { type: 'integer' })
})

test('an example does not contradict itself', () => {
  const contradictions = operations.flatMap((operation) =>
    [...contentsOf(operation)].flatMap(({ label, where, example }) => {
      if (where[1] === 'X' || example === null || typeof example !== 'object') return []
      const { failures, failing_since, parked, retry_due, is_public, secret, state } = example
      return [
        ...(failing_since === null && failures > 0 ? [`${label}: failures, failing_since`] : []),
        ...(retry_due === null && parked > 0 ? [`${label}: parked, retry_due`] : []),
        ...(is_public && secret ? [`${label}: is_public, secret`] : []),
        ...(/\/stop 200/.test(label) && state === 'running' ? [`${label}: state`] : []),
      ]
    }),
  )
  hold(contradictions, 'examples that can be true')
})

test('a header that a description tells callers to send is among the parameters', () => {
  hold(
    operations.flatMap(({ name, definition }) => {
      const parameters = (definition.parameters ?? []).map((parameter: Json) =>
        parameter.name.toLowerCase(),
      )
      return [...(definition.description ?? '').matchAll(/`(x-[a-z-]+): /gi)]
        .map(([, header]) => (header as string).toLowerCase())
        .filter((header) => !parameters.includes(header))
        .map((header) => `${name} ${header}`)
    }),
    'a parameter for each header',
  )
})

test('a body whose fields may be in the query is not required', () => {
  const isRequired = (path: string) => document.paths[path].post.requestBody.required
  assert.equal(isRequired('/oauth/token'), false)
  assert.equal(isRequired('/oauth/revoke'), false)
  assert.equal(isRequired('/applications'), true)
})

test('no refused token request promises that nothing was changed', () => {
  const { '4XX': refused } = document.paths['/oauth/token'].post.responses
  assert.doesNotMatch(refused.description, /Nothing was changed/)
  const { '4XX': refusedOrder } = document.paths['/operator/orders'].post.responses
  assert.match(refusedOrder.description, /Nothing was changed/)
})

test('every answer says what its status means', () => {
  hold(
    operations.flatMap(({ name, definition }) =>
      Object.entries<Json>(definition.responses)
        .filter(([, { description }]) => !description || description === 'Default Response')
        .map(([status]) => `${name} ${status}`),
    ),
    'a description of each status',
  )
})

test('an example takes the word of its field where that fits, and else what the schema allows', () => {
  const cases: [schema: JsonSchema, name: string, example: unknown][] = [
    [{ type: 'integer', minimum: 1 }, 'order_id', 2000003508419013],
    [{ type: 'string', pattern: '^\\d+$' }, 'order_id', '2000003508419013'],
    [{ type: 'integer', maximum: 20 }, 'limit', 1],
    [{ type: 'string', enum: ['a', 'b'] }, 'status', 'a'],
    [{ type: 'string', enum: ['new', 'paid'] }, 'status', 'paid'],
    [{ type: 'string', const: 'x' }, 'status', 'x'],
    [{ type: 'string', examples: ['mine'] }, 'status', 'mine'],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, 'nickname', 'TIENDA_DEL_SUR'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'x', null],
    [{ type: 'array', items: {}, maxItems: 0 }, 'x', []],
    [{ type: 'string', minLength: 6 }, 'x', 'text..'],
    [{ type: 'number', exclusiveMinimum: 5 }, 'x', 6],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2 }, 'x', [true, true]],
    [{ type: 'array', items: { type: 'string' } }, 'tags', ['paid']],
    [
      { type: 'object', properties: { id: { type: 'integer' }, x: { type: 'null' } } },
      ...(['x', { id: 2000003508419013, x: null }] as const),
    ],
  ]
  for (const [schema, name, example] of cases) {
    assert.deepEqual(exampleOf(schema, name), example, JSON.stringify(schema))
  }
})

test('of a body the fields that must be there are shown', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } }
  const shown = (required?: string[]) =>
    Object.keys(
      requestOf({ type: 'object', properties, ...(required ? { required } : {}) }).properties ?? {},
    )
  assert.deepEqual(shown(['c']), ['c'])
  assert.deepEqual(shown(), ['a', 'b'])
})
