import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { makeRetryingFetch, type RetryOptions, retryAfterMs } from './retry.ts'

/** A server that answers with what it is told, one after the other; `broken` hangs up. */
type RetryAnswer = { status: number; after?: string } | 'broken'
let server: Server
let address: string
let retryAnswers: RetryAnswer[] = []
let requests: { method: string; body: string }[] = []

before(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      requests.push({ method: request.method ?? '', body })
      const next = retryAnswers.shift() ?? { status: 200 }
      if (next === 'broken') return request.socket.destroy()
      const headers = next.after === undefined ? {} : { 'retry-after': next.after }
      return response.writeHead(next.status, headers).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  retryAnswers = []
  requests = []
})

const now = Date.parse('2026-03-10T15:00:00.000Z')

/** What came of it, how often it was sent, and how long it would have waited in between. */
async function ask(init: RequestInit, options: RetryOptions = {}) {
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(ms)
  const fetch = makeRetryingFetch({ wait, random: () => 0.5, now: () => now, ...options })
  const answer = await fetch(new Request(address, init)).catch((error: Error) => error)
  return { status: answer instanceof Response ? answer.status : 'failed', waits }
}

test('what may be repeated is tried again until it is answered, and no more than four times', async () => {
  const key = { 'idempotency-key': 'k-1' }
  const cases: [
    init: RequestInit,
    retryAnswers: RetryAnswer[],
    status: number | 'failed',
    sent: number,
  ][] = [
    [{ method: 'GET' }, [{ status: 503 }, 'broken', { status: 502 }], 200, 4],
    [{ method: 'PUT', body: 'a' }, [{ status: 500 }], 200, 2],
    [{ method: 'DELETE' }, ['broken'], 200, 2],
    [{ method: 'POST', body: 'a', headers: key }, [{ status: 504 }, 'broken'], 200, 3],
    [{ method: 'POST', body: 'a' }, [{ status: 503 }], 503, 1],
    [{ method: 'POST', body: 'a' }, ['broken'], 'failed', 1],
    [{ method: 'PATCH', body: 'a' }, [{ status: 500 }], 500, 1],
    // It was not done: whoever is told to come again may.
    [{ method: 'POST', body: 'a' }, [{ status: 429, after: '1' }], 200, 2],
    [{ method: 'GET' }, [{ status: 404 }], 404, 1],
    [{ method: 'GET' }, [503, 503, 503, 503, 503].map((status) => ({ status })), 503, 4],
    [{ method: 'GET' }, ['broken', 'broken', 'broken', 'broken'], 'failed', 4],
  ]
  for (const [init, answers, status, sent] of cases) {
    requests = []
    retryAnswers = [...answers]
    const result = await ask(init)
    const what = `${init.method} ${JSON.stringify(answers)}`
    assert.equal(result.status, status, what)
    assert.equal(requests.length, sent, what)
    assert.equal(result.waits.length, sent - 1, what)
    for (const request of requests)
      assert.equal(request.body, init.body ?? '', 'the body every time')
  }
})

test('it waits as long as Retry-After asks and a little more, and not at all when that is too long', async () => {
  const inTenSeconds = new Date(now + 10_000).toUTCString()
  const cases: [after: string, status: number, waits: (ms: number) => boolean][] = [
    ['7', 200, (ms) => ms > 7_000 && ms <= 8_000],
    ['0', 200, (ms) => ms > 0 && ms <= 1_000],
    [inTenSeconds, 200, (ms) => ms > 10_000 && ms <= 11_000],
    ['61', 429, () => false],
  ]
  for (const [after, status, isRight] of cases) {
    retryAnswers = [{ status: 429, after }]
    const came = await ask({ method: 'GET' })
    assert.equal(came.status, status, after)
    assert.ok(came.waits.every(isRight), `${after}: ${came.waits}`)
  }
})

test('without Retry-After it waits longer every time, and never as long as everybody else', async () => {
  const tries = 9
  const waitsWith = async (random: () => number) => {
    retryAnswers = Array.from({ length: tries }, () => ({ status: 503 }))
    return (await ask({ method: 'GET' }, { tries, random })).waits
  }
  const [shortest, longest] = [await waitsWith(() => 0), await waitsWith(() => 1)]
  assert.deepEqual(longest, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  assert.deepEqual(
    shortest,
    longest.map((ms) => ms / 2),
  )
})

test('who gives up is not made to wait', async () => {
  retryAnswers = [{ status: 503 }]
  const stop = new AbortController()
  const fetch = makeRetryingFetch()
  const asking = fetch(new Request(address, { signal: stop.signal }))
  stop.abort(new Error('enough'))
  await assert.rejects(asking, /enough/)
})

test('a try that takes too long is one that failed', async () => {
  const hanging = createServer(() => {}).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  let waited = 0
  const wait = async () => ++waited
  const fetch = makeRetryingFetch({ tries: 2, timeoutSeconds: 0.05, wait })
  await assert.rejects(fetch(new Request(url)), { name: 'TimeoutError' })
  assert.equal(waited, 1)
  hanging.closeAllConnections()
  hanging.close()
})

test('Retry-After is seconds or a date, and nothing else', () => {
  const cases: [header: string | null, ms: number | undefined][] = [
    [null, undefined],
    ['3', 3000],
    [' 3 ', 3000],
    ['Tue, 10 Mar 2026 15:00:05 GMT', 5000],
    ['Tue, 10 Mar 2026 14:00:00 GMT', 0],
    ['soon', undefined],
  ]
  for (const [header, ms] of cases) assert.equal(retryAfterMs(header, now), ms, `${header}`)
})
