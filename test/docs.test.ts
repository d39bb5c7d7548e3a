import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import postman, { type Item } from 'postman-collection'
import { anchorsIn, deadLinks, linksIn } from '../scripts/docs/links.ts'
import { entryOf } from '../scripts/docs/llms.ts'
import type { PostmanCollection } from '../scripts/docs/postman.ts'
import { routes } from '../src/app/routes.ts'
import { openServer } from '../src/app/servers.ts'
import { documentOf } from '../src/http/reference/openapi.ts'
import { failures } from '../src/kernel/failure.ts'
import { openTestApp, operatorToken, type TestApp } from './harness/app.ts'

// `npm run check` compares the generated pages with the code; here is what it cannot see.
const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const openApi = JSON.parse(read('docs/openapi.json'))
const collection: PostmanCollection = JSON.parse(read('docs/feria.postman_collection.json'))

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('docs/errors.md says of every failure when it happens', () => {
  const rows = new Set(read('docs/errors.md').split('\n'))
  for (const [code, { status, error, says, when }] of Object.entries(failures)) {
    assert.match(when, /^[A-Z`].*\.$/, code)
    const row = `| ${status} | \`${error}\` | ${says} | ${when} |`
    const ofGuide = `| ${status} | \`${error}\` | \`${code}\` | ${says} | ${when} |`
    assert.ok(rows.has(row) || rows.has(ofGuide), code)
  }
})

test('docs/openapi.json is the document that a server serves', async () => {
  const { status, body } = await app.client.get('/openapi.json')
  assert.equal(status, 200)
  const { servers: _, ...served } = body
  const generated = JSON.stringify(await documentOf(routes))
  const isSame = [served, openApi].every((document) => JSON.stringify(document) === generated)
  assert.ok(isSame, 'docs/openapi.json is not current. Run: npm run docs')
})

test('the first answer of /openapi.json takes less than 100 ms of a processor', async () => {
  const costs: number[] = []
  // The cheapest of a few first answers: whatever else runs in this process adds to the others.
  for (let attempt = 0; attempt < 5; attempt++) {
    const server = await openServer(app.ctx)
    try {
      const before = process.cpuUsage()
      const answer = await server.inject({ method: 'GET', url: '/openapi.json' })
      const { user, system } = process.cpuUsage(before)
      assert.equal(answer.statusCode, 200)
      costs.push((user + system) / 1_000)
    } finally {
      await server.close()
    }
  }
  assert.ok(Math.min(...costs) < 100, `${costs.map(Math.round).join(', ')} ms`)
})

test('two independent validators accept docs/openapi.json and refuse a wrong document', async () => {
  const broken = { ...openApi, paths: { '/sites': { get: { responses: 7 } } } }
  const bySchema = async (document: Record<string, unknown>) => {
    const { valid, errors } = await new Validator().validate(document)
    return valid ? [] : [errors].flat()
  }
  const config = await createConfig({ extends: ['spec'] })
  const byRules = (document: object) => lintFromString({ source: JSON.stringify(document), config })
  for (const problemsOf of [bySchema, byRules]) {
    assert.deepEqual(await problemsOf(structuredClone(openApi)), [])
    assert.notDeepEqual(await problemsOf(structuredClone(broken)), [])
  }
})

/** Reads the collection by the SDK of Postman. */
function importCollection(values: Readonly<Record<string, string>> = {}) {
  const variable = collection.variable.map((each) => {
    return { ...each, value: values[each.key] ?? each.value }
  })
  const imported = new postman.Collection({ ...collection, variable })
  const items: Item[] = []
  imported.forEachItem((item) => items.push(item))
  return { items, resolve: (text: string) => imported.variables.replace(text) }
}

test('the Postman collection has a request for every operation, with the token that it takes', () => {
  const written = importCollection().items.map(({ name, request }) => {
    const auth = request.auth
    const token = auth?.type === 'bearer' ? auth.parameters().get('token') : auth?.type
    return `${request.method} ${request.url.getPath({ unresolved: true })} ${token ?? 'inherited'}: ${name}`
  })
  const tokens = { public: 'noauth', page: 'noauth', operator: '{{operator_token}}' } as const
  const expected = routes.map(({ method, url, scope, summary }) => {
    const token = scope in tokens ? tokens[scope as keyof typeof tokens] : 'inherited'
    return `${method} ${url} ${token}: ${summary}`
  })
  assert.deepEqual(written.toSorted(), expected.toSorted())
})

test('requests of the Postman collection are answered once their variables are set', async () => {
  const user = { site_id: 'MLA', nickname: 'TIENDA_DEL_SUR' }
  const { status } = await app.client.operator('PUT', '/operator/users/468424240', user)
  assert.equal(status, 201)
  const issued = await app.client.operator('POST', '/operator/tokens', { user_id: 468424240 })
  const values = {
    base_url: app.address,
    access_token: issued.body.access_token,
    operator_token: operatorToken,
  }
  const { items, resolve } = importCollection(values)
  const send = async (name: string) => {
    const item = items.find((each) => each.name === name)
    assert.ok(item, name)
    const { request } = item
    const auth = item.getAuth()
    const token =
      auth?.type === 'bearer' ? resolve(auth.parameters().get('token') ?? '') : undefined
    const headers = request.getHeaders({ enabled: true })
    const answer = await fetch(resolve(request.url.toString()), {
      method: request.method,
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    })
    return { status: answer.status, body: (await answer.json()) as { id?: number } }
  }
  assert.equal((await send('List sites')).status, 200)
  assert.equal((await send('Get your account')).body.id, 468424240)
  assert.equal((await send('List users')).status, 200)
})

test('a link to a missing file or heading is found, with its line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'feria-links-'))
  try {
    writeFileSync(
      join(folder, 'a.md'),
      [
        '# Title',
        '[good](b.md#two-words), [good](#title), [good](https://example.com/x#y), [good](/docs)',
        '[no file](c.md)',
        '[no heading](b.md#three) and ![no picture](images/x.png)',
        '```',
        '[code](nowhere.md)',
        '```',
        '`[code](nowhere.md)` [ref]',
        '[ref]: b.md#four',
      ].join('\n'),
    )
    writeFileSync(join(folder, 'b.md'), '# Two words\n')
    assert.deepEqual(deadLinks(folder), [
      'a.md:3 c.md',
      'a.md:4 b.md#three',
      'a.md:4 images/x.png',
      'a.md:9 b.md#four',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('anchors are those that GitHub makes of headings', () => {
  const page = [
    '# The `code` of [a link](x.md)',
    '## Twice',
    '## Twice',
    '### Ünïcode, commas & signs: yes!',
    '## feria start',
    '```',
    '# no heading',
    '```',
    '<a id="by-hand"></a>',
  ]
  assert.deepEqual(
    [...anchorsIn(page.join('\n'))],
    [
      'the-code-of-a-link',
      'twice',
      'twice-1',
      'ünïcode-commas--signs-yes',
      'feria-start',
      'by-hand',
    ],
  )
})

test('links are read from text, not from code', () => {
  const page =
    '[a](b.md "title") <img src="c.png"> `[d](e.md)`\n\n~~~\n[f](g.md)\n~~~\n[h](<i j.md>)'
  assert.deepEqual(
    linksIn(page).map(({ target }) => target),
    ['b.md', 'c.png'],
  )
})

test('llms.txt takes the title and the first sentence of a page', () => {
  const page = '# A page\n\nIt tells [this](x.md) in e.g. one sentence. And more.\n\nNo.\n'
  assert.equal(
    entryOf('docs/a.md', page.replace(' e.g.', '')),
    '- [A page](docs/a.md): It tells this in one sentence.',
  )
  assert.equal(entryOf('docs/decisions/0001-a.md', page), '- [A page](docs/decisions/0001-a.md)')
})
