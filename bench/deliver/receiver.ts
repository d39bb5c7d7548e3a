import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createListener } from 'node:net'
import { monotonicMs } from './clock.ts'

/**
 * Integrators' callbacks: a process of its own that answers 200 after a millisecond, on as many ports
 * as there are to be origins. While it takes requests it only keeps them; who asks for them afterwards
 * waits until they are read. Its own port (`PORT`) is for the one who runs the benchmark.
 */
interface ReceivedCallback {
  path: string
  id: string | undefined
  body: Buffer
  at: number
  status: number
}

/** What it does instead of answering 200: another status, or 0 for nothing at all. */
const statusByPath = new Map<string, number>()
let defaultStatus = 200
/** When not 0, every so manyth request of each path is accepted whatever else is answered. */
let spared = 0
const requestCounts = new Map<string, number>()
/** Which share of all requests fails, whatever else is answered. */
let failureShare = 0
/** How long some callbacks take to answer, at least and at most. */
const delays = new Map<string, readonly [number, number]>()
let receivedCallbacks: ReceivedCallback[] = []
const answerMs = Number(process.env['ANSWER_MS'] ?? 1)

function handleRequest(request: IncomingMessage, response: ServerResponse): void {
  const at = monotonicMs()
  const path = request.url ?? ''
  const status = statusOf(path)
  const id = request.headers['webhook-id'] as string | undefined
  let body: Buffer | undefined
  request.on('data', (part: Buffer) => {
    body = body ? Buffer.concat([body, part]) : part
  })
  request.on('end', () => {
    receivedCallbacks.push({ path, id, body: body ?? Buffer.alloc(0), at, status })
    if (status === 0) return
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'text/plain', 'content-length': 2 })
      response.end('ok')
    }, delayOf(path))
  })
}

function statusOf(path: string): number {
  if (isSpared(path)) return 200
  const status = statusByPath.get(path) ?? defaultStatus
  return status === 200 && Math.random() < failureShare ? 500 : status
}

function delayOf(path: string): number {
  const [from, to] = delays.get(path) ?? [answerMs, answerMs]
  return from + Math.random() * (to - from)
}

function isSpared(path: string): boolean {
  if (spared === 0) return false
  const times = (requestCounts.get(path) ?? 0) + 1
  requestCounts.set(path, times)
  return times % spared === 0
}

const callbacks = createServer(
  { keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 },
  handleRequest,
)
// Senders that were killed leave broken connections behind.
callbacks.on('clientError', (_, socket) => socket.destroy())

async function openPorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let n = 0; n < count; n++) {
    const listener = createListener({ noDelay: true }, (socket) => {
      callbacks.emit('connection', socket)
    })
    listener.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    await once(listener, 'listening')
    ports.push((listener.address() as AddressInfo).port)
  }
  return ports
}

/** What was told, in the order in which it came: path, id of the delivery, resource, when, answer. */
function* receivedLines(from: number): Generator<string> {
  yield '['
  for (const [index, { path, id, body, at, status }] of receivedCallbacks.slice(from).entries()) {
    const { resource, attempts } = JSON.parse(body.toString('utf8'))
    const line = JSON.stringify([path, id ?? null, resource, attempts, at, status])
    yield index === 0 ? line : `,${line}`
  }
  yield ']'
}

const commands: Record<string, (query: URLSearchParams) => unknown> = {
  '/health/live': () => 'ok',
  '/ports': (query) => openPorts(Number(query.get('count'))),
  '/count': () => ({
    received: receivedCallbacks.length,
    lastAt: receivedCallbacks.at(-1)?.at ?? null,
  }),
  '/told': (query) => [...receivedLines(Number(query.get('from') ?? 0))].join(''),
  '/clear': () => {
    receivedCallbacks = []
    return 'ok'
  },
  '/answer': (query) => {
    const status = Number(query.get('status'))
    const paths = query.getAll('path')
    spared = Number(query.get('spared') ?? 0)
    if (paths.length === 0) defaultStatus = status
    for (const path of paths) statusByPath.set(path, status)
    return 'ok'
  },
  '/fail': (query) => {
    failureShare = Number(query.get('share'))
    return 'ok'
  },
  '/delay': (query) => {
    const between = [Number(query.get('from')), Number(query.get('to'))] as const
    for (const path of query.getAll('path')) delays.set(path, between)
    return 'ok'
  },
}

const control = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://receiver')
  const answer = await commands[url.pathname]?.(url.searchParams)
  response.statusCode = answer === undefined ? 404 : 200
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
})
control.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', () => process.exit(0))
// Nobody asks any more once the one who started it is gone, however it ended.
const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(0), 1_000).unref()
