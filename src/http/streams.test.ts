import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { type BareServer, openBareServer } from '../../test/harness/server.ts'
import { route } from './route.ts'

/** Much longer than the pauses of bodies that move: a busy machine is late. */
const arrivalMs = 2_000

const take = route({
  method: 'POST',
  url: '/take',
  scope: 'public',
  tag: 'test',
  summary: 'Takes a body',
  body: Type.Object({}),
  answers: { 200: Type.Object({}) },
  handle: async () => ({ status: 200, body: {} }),
})

const lengths = route({
  method: 'POST',
  url: '/lengths',
  scope: 'public',
  tag: 'test',
  summary: 'Answers the length of each piece as it comes',
  body: Type.Object({}),
  streams: true,
  answers: { 200: Type.Object({}) },
  handle: async (_, { bodyStream }) => ({
    status: 200,
    lines: Readable.from(
      (async function* () {
        for await (const piece of bodyStream ?? []) yield `${piece.length}\n`
      })(),
    ),
  }),
})

const line = `${'é'.repeat(1_000)}\n`
/** More than the kernel takes at once, so that the server has to wait for room. */
const lineCount = 5_000

const long = route({
  method: 'GET',
  url: '/long',
  scope: 'public',
  tag: 'test',
  summary: 'Answers many lines, as text',
  answers: { 200: Type.Object({}) },
  handle: async () => ({
    status: 200,
    lines: Readable.from(Array.from({ length: lineCount }, () => line)),
  }),
})

/** Gives one line and then stands still. */
let still: Readable

const stillRoute = route({
  method: 'GET',
  url: '/still',
  scope: 'public',
  tag: 'test',
  summary: 'Answers one line, as text, and does not end',
  answers: { 200: Type.Object({}) },
  async handle() {
    still = new Readable({ objectMode: true, read() {} })
    still.push(line)
    return { status: 200, lines: still }
  },
})

let bare: BareServer
before(async () => {
  bare = await openBareServer([take, lengths, long, stillRoute], { arrivalMs })
})
after(() => bare.server.close())

/** Sends a body in pieces, each after a pause; returns all that came until the connection ended. */
async function trickle(path: string, pieces: readonly (string | number)[]): Promise<string> {
  const socket = connect(bare.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
  )
  for (const piece of pieces) {
    if (socket.destroyed) break
    // Real time: the server limits how long a body takes with a timer of Node and a timeout of the socket.
    if (typeof piece === 'number') await setTimeout(piece)
    else socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
  }
  if (!socket.destroyed) socket.write('0\r\n\r\n')
  await ended
  return answer
}

test('a body that trickles in is refused after its time', async () => {
  // Several times its time: the server's timer may be late, this one's as well.
  const trickling = Array.from({ length: 20 }, () => [700, ' ']).flat()
  const answer = await trickle('/take', ['{', ...trickling, '}'])
  assert.match(answer, /^HTTP\/1\.1 408 .*"error":"request_timeout"/s)
  assert.match(await trickle('/take', ['{', 100, '}']), /^HTTP\/1\.1 200 /)
})

test('a stream may last for as long as it moves, and is answered while it does', async () => {
  const moves = trickle('/lengths', ['a', 700, 'bb', 700, 'ccc', 700, 'dddd'])
  const stands = trickle('/lengths', ['a', 4_000])
  const answer = await moves
  assert.match(answer, /^HTTP\/1\.1 200 .*\r\n1\n\r\n.*2\n.*3\n.*4\n.*\r\n0\r\n/s)
  const still = await stands
  assert.match(still, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(still, /\r\n0\r\n/, 'ended before its end')
})

test('a long answer of text comes whole, whatever its letters, to many at once', {
  timeout: 60_000,
}, async ({ signal }) => {
  const downloads = Array.from({ length: 6 }, async () => {
    const answer = await fetch(`${bare.address}/long`, { signal })
    return (await answer.bytes()).length
  })
  const whole = Buffer.byteLength(line) * lineCount
  assert.deepEqual(await Promise.all(downloads), Array(6).fill(whole))
})

test('what an answer is made of ends when whoever asked goes away, though it stands still', {
  timeout: 60_000,
}, async ({ signal }) => {
  const leave = new AbortController()
  const abortSignal = AbortSignal.any([signal, leave.signal])
  const { body } = await fetch(`${bare.address}/still`, { signal: abortSignal })
  const { value } = await (body as ReadableStream<Uint8Array>).getReader().read()
  assert.ok(value)
  const closed = new Promise((resolve) => still.on('close', resolve))
  leave.abort()
  await closed
})
