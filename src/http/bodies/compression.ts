import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyBy } from '../caching.ts'
import type { Route } from '../route.ts'

export type Encoding = 'br' | 'gzip'

/** In order of preference among those that a client accepts equally. */
const encodings: readonly Encoding[] = ['br', 'gzip']

/** Characters. A shorter body leaves in one packet, compressed or not. */
export const compressionThreshold = 1_024
/** Bytes. Compressing more costs over 20 ms of processor time for each megabyte. */
const compressionLimit = 1_048_576
/** Bytes. Longer bodies are compressed on another thread: 64 KB take this one a tenth of a millisecond. */
const inlineLimit = 65_536

/**
 * Returns the encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3), or undefined when the
 * answer goes out as it is. A client that sends no header gets no encoding.
 */
export function encodingFor(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of String(header).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
    const value = weight === undefined ? 1 : Number(weight)
    weights.set(name, Number.isNaN(value) ? 0 : value)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  let [best, most] = [undefined as Encoding | undefined, weights.get('identity') ?? 0]
  for (const encoding of encodings) {
    const weight = weightOf(encoding)
    if (weight > 0 && (weight > most || (best === undefined && weight === most))) {
      ;[best, most] = [encoding, weight]
    }
  }
  return best
}

/**
 * Whether answers of a route may be compressed. The length of a compressed body tells what it repeats, so a body
 * with a secret stays as it is, and so do pages, which carry form tokens, and answers that repeat a request's
 * body (the attack BREACH).
 */
export function isCompressible(route: Route): boolean {
  if (route.method !== 'GET' || route.scope === 'page' || route.failures === 'oauth') return false
  return !Object.values(route.answers).some(hasSecret)
}

const secretName = /secret|password|token/

function hasSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties } = schema as { properties?: object }
  if (Object.keys(properties ?? {}).some((name) => secretName.test(name))) return true
  return Object.values(schema).some(hasSecret)
}

/** Sends a text, compressed when the client asks for it and the text is long enough. */
export function sendCompressed(
  reply: FastifyReply,
  text: string,
): FastifyReply | Promise<FastifyReply> {
  if (text.length < compressionThreshold) return reply.send(text)
  varyBy(reply, 'accept-encoding')
  const encoding = encodingFor(reply.request.headers['accept-encoding'])
  if (encoding === undefined) return reply.send(text)
  const content = Buffer.from(text)
  if (content.length > compressionLimit) return reply.send(content)
  reply.header('content-encoding', encoding)
  if (content.length <= inlineLimit) return reply.send(compressInline[encoding](content))
  return compress[encoding](content).then((compressed) => reply.send(compressed))
}

// The cheapest levels: brotli's first is twice as fast as gzip's (decision 21).
const gzipOptions = { level: 1 }
const brotliOptions = (content: Uint8Array) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  },
})
const compressInline: Record<Encoding, (content: Uint8Array) => Buffer> = {
  br: (content) => brotliCompressSync(content, brotliOptions(content)),
  gzip: (content) => gzipSync(content, gzipOptions),
}
const [gzipApart, brotliApart] = [promisify(gzip), promisify(brotliCompress)]
const compress: Record<Encoding, (content: Uint8Array) => Promise<Buffer>> = {
  br: (content) => brotliApart(content, brotliOptions(content)),
  gzip: (content) => gzipApart(content, gzipOptions),
}

/** A text that stays the same while the process runs: compressed well, once for each encoding, and with an ETag. */
export class ServedText {
  readonly #text: string
  readonly #etag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.#text = text
    // Weak: the encodings of one text share it.
    this.#etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    varyBy(reply, 'accept-encoding')
    reply.header('cache-control', 'no-cache').header('etag', this.#etag)
    const known = headers['if-none-match']?.split(',').map((each) => each.trim())
    if (known?.some((each) => each === '*' || each === this.#etag)) return reply.status(304).send()
    const encoding = encodingFor(headers['accept-encoding'])
    if (encoding === undefined) return reply.send(this.#text)
    return reply.header('content-encoding', encoding).send(await this.#compress(encoding))
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    const made =
      encoding === 'br'
        ? brotliApart(Buffer.from(this.#text), { params })
        : gzipApart(this.#text, { level: 9 })
    this.#compressed.set(encoding, made)
    return made
  }
}
