import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { after, before } from 'node:test'
import { contract } from '../harness/contract.ts'
import { formContentType, multipartForm } from '../harness/upload.ts'
import { nextEvent } from '../harness/wait.ts'
import {
  type ClientEnvironment,
  type ClientFixture,
  expectedOutcome,
  openClientFixture,
} from './fixture.ts'

type Fields = Readonly<Record<string, string>>

/** How an HTTP library sends requests when its users leave the settings as they are. */
interface HttpStack {
  name: string
  headers: Readonly<Record<string, string>>
  /** The content type of a JSON text; none where the library sends none. */
  jsonType?: string
  /** The content type of a request without a body, for libraries that always send one. */
  emptyType?: string
  /** Bodies come in chunks, without a length. */
  isChunked?: true
  /** Where the fields of a token are: in a form, in JSON or in the query. */
  tokenFields: 'form' | 'json' | 'query'
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const stacks: readonly HttpStack[] = [
  {
    name: 'Java HttpClient, which offers HTTP/2',
    headers: {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      'user-agent': 'Java-http-client/21.0.2',
    },
    tokenFields: 'form',
  },
  {
    name: 'Java HttpURLConnection, which calls every body a form',
    headers: { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
    jsonType: form,
    tokenFields: 'query',
  },
  {
    name: '.NET HttpClient, which sends JSON in chunks',
    headers: {},
    jsonType: 'application/json; charset=utf-8',
    isChunked: true,
    tokenFields: 'form',
  },
  {
    name: '.NET Framework, which asks before it sends',
    headers: { expect: '100-continue', 'user-agent': 'RestSharp/106.11.7.0' },
    jsonType: json,
    emptyType: json,
    tokenFields: 'form',
  },
  {
    name: 'Go net/http',
    headers: { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'identity' },
    jsonType: json,
    tokenFields: 'json',
  },
  {
    name: 'axios, given a text',
    headers: { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/1.7.2' },
    jsonType: form,
    tokenFields: 'form',
  },
  {
    name: 'axios, with a content type for everything',
    headers: { accept: 'application/json, text/plain, */*' },
    jsonType: json,
    emptyType: json,
    tokenFields: 'json',
  },
  {
    name: 'node-fetch and undici, given a text',
    headers: { accept: '*/*', 'user-agent': 'node-fetch' },
    jsonType: 'text/plain;charset=UTF-8',
    tokenFields: 'form',
  },
]

interface StackCall {
  token?: string
  body?: Buffer
  type?: string
}

/** One request with these headers and no others. */
function send(
  { headers, isChunked }: HttpStack,
  { address, method, path }: { address: string; method: string; path: string },
  { token, body, type }: StackCall,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
): Promise<any> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${address}${path}`, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(body === undefined || isChunked ? {} : { 'content-length': body.length }),
      },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) resolve(JSON.parse(text))
        else reject(new Error(`${method} ${path}: ${status} ${text}`))
      })
    })
    if (body === undefined) return void request.end()
    if (headers['expect'] === undefined) return void request.end(body)
    request.on('continue', () => request.end(body))
  })
}

/** Plays the scenario as this stack sends it. */
async function playScenario(habits: HttpStack, settings: ClientEnvironment): Promise<object> {
  const { FERIA: address = '', CLIENT_ID = '', CLIENT_SECRET = '', PACK_ID, BUYER_ID } = settings
  const ask = (method: string, path: string, call: StackCall) =>
    send(habits, { address, method, path }, call)
  const call = (method: string, path: string, token: string, body?: unknown) => {
    if (body !== undefined) {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      return ask(method, path, { token, body: bytes, ...typed(habits.jsonType) })
    }
    return ask(method, path, { token, ...typed(habits.emptyType) })
  }
  const tokens = (fields: Fields) => {
    const all = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...fields }
    const encoded = `${new URLSearchParams(all)}`
    if (habits.tokenFields === 'query') {
      return ask('POST', `/oauth/token?${encoded}`, typed(habits.jsonType))
    }
    const isJson = habits.tokenFields === 'json'
    const body = Buffer.from(isJson ? JSON.stringify(all) : encoded)
    return ask('POST', '/oauth/token', { body, type: isJson ? json : form })
  }
  const refresh = (refresh_token: string) => tokens({ grant_type: 'refresh_token', refresh_token })

  const first = await tokens({
    grant_type: 'authorization_code',
    code: settings['CODE'] ?? '',
    redirect_uri: settings['REDIRECT_URI'] ?? '',
  })
  const second = await refresh(first.refresh_token)
  const both = await Promise.all([refresh(second.refresh_token), refresh(second.refresh_token)])
  const token = both[0].access_token
  const { id: seller } = await call('GET', '/users/me', token)

  const orders: { id: number }[] = []
  for (let total = 1; orders.length < total; ) {
    const path = `/orders/search?seller=${seller}&sort=date_desc&limit=2&offset=${orders.length}`
    const page = await call('GET', path, token)
    orders.push(...page.results)
    total = page.paging.total
  }
  const items: string[] = []
  for (let scroll = ''; ; ) {
    const path = `/users/${seller}/items/search?search_type=scan&limit=2${scroll}`
    const page = await call('GET', path, token)
    items.push(...page.results)
    if (page.results.length === 0 || page.scroll_id === null) break
    scroll = `&scroll_id=${encodeURIComponent(page.scroll_id)}`
  }
  const order = await call('GET', `/orders/${orders[0]?.id}`, token)
  const question_id = Number(settings['QUESTION_ID'])
  const answer = await call('POST', '/answers', token, { question_id, text: 'Sí, hay stock.' })
  const upload = await ask('POST', '/messages/attachments?tag=post_sale&site_id=MLA', {
    token,
    body: multipartForm({
      filename: 'etiqueta.png',
      content: readFileSync(settings['FILE'] ?? ''),
    }),
    type: formContentType,
  })
  const message = await call('POST', `/messages/packs/${PACK_ID}/sellers/${seller}`, token, {
    from: { user_id: seller },
    to: { user_id: BUYER_ID },
    text: 'Te mando la foto.',
    attachments: [upload.id],
  })
  const item = await call('POST', '/items', token, settings['PUBLICATION'])
  const change = { price: '2100.50', available_quantity: '7' }
  const changed = await call('PUT', `/items/${item.id}`, token, change)
  const missed = await call('GET', `/missed_feeds?app_id=${CLIENT_ID}`, token)
  return {
    same_successor: both[0].refresh_token === both[1].refresh_token,
    orders: orders.length,
    order: order.id === orders[0]?.id,
    items: new Set(items).size,
    answered: answer.status,
    message: message.status,
    price: changed.price,
    quantity: changed.available_quantity,
    missed: Array.isArray(missed.messages),
  }
}

const typed = (type: string | undefined) => (type === undefined ? {} : { type })

let fixture: ClientFixture
before(async () => {
  fixture = await openClientFixture()
})
after(() => fixture.close())

for (const [played, habits] of stacks.entries()) {
  contract(
    ['5', '6.1', 'leniency'],
    `a seller’s program signs in, pages, writes, publishes and is notified, sent as by ${habits.name}`,
    async () => {
      const settings = await fixture.settingsOf('')
      const received: { _id: string; topic: string }[] = []
      const receiver = createServer(async (request, response) => {
        received.push(JSON.parse(String(await request.toArray())))
        response.end()
      }).listen(Number(settings['RECEIVER_PORT']), '127.0.0.1')
      await nextEvent(receiver, 'listening')
      try {
        const result = await playScenario(habits, settings)
        await fixture.app.runPendingWork()
        const key = received.every(({ _id }) => /^[0-9a-f]{24}$/.test(_id))
        const delivered = { received: received[0]?.topic, key }
        assert.deepEqual({ ...result, ...delivered }, expectedOutcome(played))
      } finally {
        receiver.close()
      }
    },
  )
}
