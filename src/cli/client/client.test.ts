import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { nextEvent } from '../../../test/harness/wait.ts'
import { readConfig } from '../../platform/config.ts'
import { checkServer } from '../doctor/server.ts'
import { ApiClient, RequestRefused, ServerUnavailable } from './client.ts'

/** The answer of the server to each path. */
const answers = new Map<string, { status: number; body: string }>()
const server = createServer((request, response) => {
  request.resume()
  const { status, body } = answers.get(request.url ?? '') ?? { status: 404, body: '{}' }
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
})
let client: ApiClient

before(async () => {
  server.listen(0, '127.0.0.1')
  await nextEvent(server, 'listening')
  const { port } = server.address() as AddressInfo
  client = new ApiClient(`http://127.0.0.1:${port}`, 'token', '/operator')
})
after(() => {
  server.closeAllConnections()
  server.close()
})

test('an error answer is refused, or unavailable if a retry may help', async () => {
  const cases: [status: number, failure: typeof RequestRefused | typeof ServerUnavailable][] = [
    [301, RequestRefused],
    [400, RequestRefused],
    [401, RequestRefused],
    [429, ServerUnavailable],
    [500, ServerUnavailable],
    [503, ServerUnavailable],
  ]
  for (const [status, failure] of cases) {
    answers.set('/operator/clock', { status, body: '{"message":"no"}' })
    await assert.rejects(
      client.call('GET', '/operator/clock'),
      (error) => error instanceof failure && error.message.endsWith(`(${status}): no`),
    )
  }
})

test('the failure of a stream has the text of an answer without a message', async () => {
  for (const body of ['{"code":7}', 'null', '[]', 'Bad Gateway']) {
    answers.set('/operator/import', { status: 400, body })
    const read = async () => {
      for await (const _ of client.lines('/operator/import', Readable.from(['{}\n'])))
        assert.fail('no lines')
    }
    await assert.rejects(read(), { message: `POST /operator/import was refused (400): ${body}` })
  }
})

test('the doctor blames the operator token only if the server does not accept it', async () => {
  const version = '1.2.3'
  const info = { title: 'Feria', version }
  answers.set('/openapi.json', { status: 200, body: JSON.stringify({ info }) })
  answers.set('/health/ready', { status: 200, body: '{}' })
  const cases: [status: number, advice: RegExp | undefined][] = [
    [200, undefined],
    [401, /^Set FERIA_OPERATOR_TOKEN /],
    [404, /^See the log of the server\.$/],
    [500, /^See the log of the server\.$/],
  ]
  for (const [status, advice] of cases) {
    answers.set('/operator/clock', { status, body: '{"message":"x"}' })
    const results = await checkServer(readConfig({}), { client, version })
    const result = results.find(({ name }) => name === 'server’s settings')
    assert.equal(result?.state, advice ? 'problem' : 'ok', String(status))
    if (advice) assert.match(result?.advice ?? '', advice, String(status))
  }
})
