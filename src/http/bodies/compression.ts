import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyBy } from '../caching.ts'
import type { Route } from '../route.ts'

export type Encoding = 'br' | 'gzip'

/** The supported encodings. The first wins among those that a client accepts equally. */
const encodings: readonly Encoding[] = ['br', 'gzip']

/** Shortest compressed text, in characters. A shorter one fits one packet in any case. */
export const compressionThreshold = 1_024
/** Longest compressed body, in bytes. One megabyte takes over 20 ms of processor time. */
const compressionLimit = 1_048_576
/** Longest body compressed on this thread, in bytes. 64 KB take 0.1 ms; longer bodies go to another thread. */
const inlineLimit = 65_536

/**
 * Returns the encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3). Undefined means no encoding, which
 * is also the answer to a client without the header.
 */
export function encodingFor(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of String(header).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const value = weight === undefined ? 1 : Number(weight)
    weights.set(name, Number.isNaN(value) ? 0 : value)
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  let best: Encoding | undefined
  let bestWeight = weights.get('identity') ?? 0
  for (const encoding of encodings) {
    const weight = weightOf(encoding)
    if (weight > 0 && (weight > bestWeight || (best === undefined && weight === bestWeight))) {
      best = encoding
      bestWeight = weight
    }
  }
  return best
}

/**
 * Returns whether answers of a route may be compressed. The length of a compressed body reveals repeated text (the
 * attack BREACH). So bodies with secrets, pages with form tokens and answers that repeat a request stay uncompressed.
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

/** Sends a text, compressed if the client accepts that and the length is within the limits. */
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

// The fastest levels. Brotli's is twice as fast as gzip's (docs/decisions/0021-compressed-answers.md).
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

/** A text that does not change while the process runs. It is compressed once per encoding and sent with an ETag. */
export class ServedText {
  readonly #text: string
  readonly #etag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.#text = text
    // The ETag is weak, because all encodings of the text share it.
    this.#etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    varyBy(reply, 'accept-encoding')
    reply.header('cache-control', 'no-cache').header('etag', this.#etag)
    const etags = headers['if-none-match']?.split(',').map((etag) => etag.trim())
    if (etags?.some((etag) => etag === '*' || etag === this.#etag)) return reply.status(304).send()
    const encoding = encodingFor(headers['accept-encoding'])
    if (encoding === undefined) return reply.send(this.#text)
    return reply.header('content-encoding', encoding).send(await this.#compress(encoding))
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    const cached = this.#compressed.get(encoding)
    if (cached) return cached
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    const compressed =
      encoding === 'br'
        ? brotliApart(Buffer.from(this.#text), { params })
        : gzipApart(this.#text, { level: 9 })
    this.#compressed.set(encoding, compressed)
    return compressed
  }
}
