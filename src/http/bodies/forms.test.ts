import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { anyCodePoint } from '../../../test/harness/code-points.ts'
import { type BareServer, openBareServer } from '../../../test/harness/server.ts'
import {
  formContentType,
  multipartForm,
  openRequest,
  partHeader,
  type RawResponse,
  writePiece,
} from '../../../test/harness/upload.ts'
import { nextEvent } from '../../../test/harness/wait.ts'
import { badField } from '../../kernel/failure.ts'
import { route } from '../route.ts'

/** Ten times as long as the pause between two pieces: a busy machine is late. */
const arrivalMs = 3_000
let underWay = 0

const form = Type.Object({ file: Type.String() })

const take = route({
  method: 'POST',
  url: '/take',
  scope: 'public',
  tag: 'test',
  summary: 'Answers what came',
  body: form,
  takesFiles: true,
  answers: { 200: Type.Object({}) },
  async handle(_, { files }) {
    underWay++
    const received: [field: string, name: string | undefined, size: number][] = []
    try {
      for await (const { field, name, content } of files) {
        let size = 0
        if (name !== 'skipped') for await (const piece of content) size += piece.length
        received.push([field, name, size])
      }
      return { status: 200, body: received }
    } finally {
      underWay--
    }
  },
})

const refuse = route({
  method: 'POST',
  url: '/refuse',
  scope: 'public',
  tag: 'test',
  summary: 'Refuses any file after its first piece',
  body: form,
  takesFiles: true,
  answers: { 200: Type.Object({}) },
  async handle(_, { files }) {
    for await (const { content } of files) {
      for await (const _piece of content) throw badField('file', 'another one')
    }
    return { status: 200, body: {} }
  },
})

const json = route({
  method: 'POST',
  url: '/json',
  scope: 'public',
  tag: 'test',
  summary: 'Takes a small body',
  body: Type.Object({}),
  answers: { 200: Type.Object({}) },
  handle: async () => ({ status: 200, body: {} }),
})

let bare: BareServer
let address: string
before(async () => {
  bare = await openBareServer([take, refuse, json], {
    arrivalMs,
    env: { FERIA_BODY_LIMIT_KB: '4' },
  })
  address = bare.address
})
after(() => bare.server.close())

function send(path: string, body: Uint8Array, type = formContentType): Promise<RawResponse> {
  const headers = { 'content-type': type }
  const { request, answer } = openRequest(address, { method: 'POST', path, headers })
  request.end(body)
  return answer
}

test('the files of a form come one after another, with their names as they were sent', async () => {
  const big = Buffer.alloc(1_000_000)
  const form = multipartForm(
    { field: 'note', content: 'a field' },
    { filename: 'a/b.pdf', content: big },
    { field: 'other', filename: 'skipped', content: big },
    { filename: 'año.txt', content: 'x' },
    { field: 'note', content: 'another' },
    { filename: '', content: '' },
  )
  const { status, body } = await send('/take', form)
  assert.equal(status, 200)
  assert.deepEqual(body, [
    ['file', 'a/b.pdf', big.length],
    ['other', 'skipped', 0],
    ['file', 'año.txt', 1],
    ['file', '', 0],
  ])
})

test('forms may be larger than other bodies, which keep their limit', async () => {
  const large = Buffer.alloc(5 * 1024, ' ')
  const refused = await send('/json', large, 'application/json')
  assert.deepEqual([refused.status, refused.body.error], [413, 'body_too_large'])
  assert.equal((await send('/take', multipartForm({ filename: 'a', content: large }))).status, 200)
  assert.equal((await send('/json', multipartForm({ filename: 'a' }))).status, 400)
})

test('a form without end in any of its parts is refused', async () => {
  const fields = Array.from({ length: 120 }, (_, n) => ({ field: `f${n}`, content: 'x' }))
  const files = Array.from({ length: 120 }, (_, n) => ({ filename: `f${n}`, content: 'x' }))
  for (const parts of [fields, files]) {
    const { status, body } = await send('/take', multipartForm(...parts))
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.message, /^body: expected a whole form/)
  }
})

test('whatever a form looks like, it is answered or refused in words', async () => {
  const good = multipartForm({ filename: 'a.txt', content: 'Hola' }, { field: 'b', content: 'c' })
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(good.length).map((length) => good.subarray(0, length)),
    fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
      .map((changes) => {
        const changed = Buffer.from(good)
        for (const [at, byte] of changes) changed[at] = byte
        return changed
      }),
    fc
      .tuple(fc.nat(good.length), fc.string({ unit: anyCodePoint, maxLength: 40 }))
      .map(([at, text]) =>
        Buffer.concat([good.subarray(0, at), Buffer.from(text), good.subarray(at)]),
      ),
  )
  await fc.assert(
    fc.asyncProperty(broken, async (bytes) => {
      const { status, body } = await send('/take', bytes)
      if (status === 200) return
      assert.equal(status, 400)
      assert.match(body.message, /^body: expected a whole form/)
    }),
    { numRuns: 400 },
  )
  assert.equal(underWay, 0, 'no handler waits for what will never come')
})

test('who is refused in the middle gets the answer and may use the connection again', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(address)
  const sockets = new Set<unknown>()
  const ask = (path: string, type: string, body: Uint8Array) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': type, 'content-length': body.length }
      const request = httpRequest({ agent, hostname, port, path, method: 'POST', headers })
      request.on('error', reject)
      request.on('socket', (socket) => sockets.add(socket))
      request.on('response', (response) => {
        response.resume()
        // Only once all of it was sent is the connection free.
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      request.end(body)
    })
  try {
    const large = multipartForm({ filename: 'a', content: Buffer.alloc(8 * 1024 * 1024) })
    assert.equal(await ask('/refuse', formContentType, large), 400)
    assert.equal(await ask('/json', 'application/json', Buffer.from('{}')), 200)
    assert.equal(await ask('/refuse', formContentType, large), 400)
    assert.equal(sockets.size, 1)
  } finally {
    agent.destroy()
  }
})

test('who is refused gets the answer even when reading it only after sending everything', async () => {
  const large = multipartForm({ filename: 'a', content: Buffer.alloc(20 * 1024 * 1024) })
  for (const [version, connection] of [
    ['1.1', 'close'],
    ['1.1', 'keep-alive'],
    ['1.0', 'close'],
  ] as const) {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    socket.pause()
    const head = `POST /refuse HTTP/${version}\r\nHost: localhost\r\nConnection: ${connection}\r\nContent-Type: ${formContentType}\r\nContent-Length: ${large.length}\r\n\r\n`
    socket.write(head)
    await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.write(large, resolve)
    })
    const responded = nextEvent(socket, 'data')
    socket.resume()
    const [answer] = await responded
    assert.match(String(answer), /^HTTP\/1\.1 400 /, version)
    socket.destroy()
  }
})

test('a form that stands still ends with its connection, one that moves may last', async () => {
  const headers = { 'content-type': formContentType }
  const open = () => openRequest(address, { method: 'POST', path: '/take', headers })
  const still = open()
  await writePiece(still.request, partHeader({ filename: 'a' }))
  await writePiece(still.request, 'x')
  const moving = open()
  await writePiece(moving.request, partHeader({ filename: 'a' }))
  for (let piece = 0; piece < 12; piece++) {
    // Real time: the timeout of a connection is that of its socket.
    await new Promise((resolve) => setTimeout(resolve, arrivalMs / 10))
    await writePiece(moving.request, 'x')
  }
  await assert.rejects(still.answer)
  moving.request.end(multipartForm().toString())
  assert.deepEqual((await moving.answer).body, [['file', 'a', 12]])
  assert.equal(underWay, 0)
})
