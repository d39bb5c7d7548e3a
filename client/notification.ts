import { createHmac, timingSafeEqual } from 'node:crypto'

/** A notification whose signature is verified (Standard Webhooks 1.0). */
export interface Notification {
  /** The same in every attempt, in the feed and as `_id` of the body. Use it to drop duplicates. */
  id: string
  topic: string
  /** The path of what changed; for messages an id. */
  resource: string
  userId: number
  applicationId: number
  /** The number of this attempt, from 1. */
  attempts: number
  /** The number of the notification within its application, without gaps; undefined if the server sends none. */
  sequence: number | undefined
  /** The body as it was sent. */
  body: Readonly<Record<string, unknown>>
}

export type HeadersInput =
  | globalThis.Headers
  | Readonly<Record<string, string | string[] | undefined>>

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now, in both directions. Default: 300. */
  toleranceSeconds?: number
  /** Milliseconds since 1970, for tests. */
  now?: () => number
}

/** The signature is wrong, or the timestamp too old. Answer with 401 and ignore the request. */
export class NotGenuine extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'NotGenuine'
  }
}

const prefix = 'whsec_'
const version = 'v1,'

/**
 * Verifies a notification and returns it. `body` must be the bytes as they arrived: parsed and serialized JSON has
 * another signature. Any pair of secret (`whsec_…`) and signature may match, so that you can rotate a secret. All pairs
 * are compared, each in constant time. Throws `NotGenuine`.
 */
export function verifyNotification(
  headers: HeadersInput,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Notification {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatureHeader = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatureHeader)
    throw new NotGenuine('the signature headers are missing')
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotGenuine('webhook-timestamp is not a time')
  const ageSeconds = Math.abs(now() / 1000 - Number(timestamp))
  if (ageSeconds > toleranceSeconds) throw new NotGenuine('webhook-timestamp is too far from now')

  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const signatures = signatureHeader.split(' ').filter((value) => value.startsWith(version))
  let isGenuine = false
  for (const secret of [secrets].flat()) {
    const expected = signatureOf(secret, `${id}.${timestamp}.`, bytes)
    for (const signature of signatures) {
      if (isEqual(Buffer.from(signature.slice(version.length)), expected)) isGenuine = true
    }
  }
  if (!isGenuine) throw new NotGenuine('no signature matches')
  return parseNotification(id, headerOf(headers, 'x-feria-sequence'), bytes)
}

function signatureOf(secret: string, head: string, body: Uint8Array): Buffer {
  const key = Buffer.from(
    secret.startsWith(prefix) ? secret.slice(prefix.length) : secret,
    'base64',
  )
  // With an empty key, anybody could forge signatures.
  if (key.length === 0) throw new TypeError('expected a secret: whsec_ and base64')
  return Buffer.from(createHmac('sha256', key).update(head).update(body).digest('base64'))
}

function isEqual(actual: Buffer, expected: Buffer): boolean {
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Notifications of pictures are wrapped in a list of one. */
function parseNotification(
  id: string,
  sequence: string | undefined,
  bytes: Uint8Array,
): Notification {
  const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>
  const notification = (
    Array.isArray(body['messages']) ? body['messages'][0] : body
  ) as ReceivedNotification
  return {
    id,
    topic: String(notification.topic),
    resource: String(notification.resource),
    userId: Number(notification.user_id),
    applicationId: Number(notification.application_id),
    attempts: Number(notification.attempts),
    sequence: sequence === undefined ? undefined : Number(sequence),
    body,
  }
}

interface ReceivedNotification {
  topic: unknown
  resource: unknown
  user_id: unknown
  application_id: unknown
  attempts: unknown
}

function headerOf(headers: HeadersInput, name: string): string | undefined {
  if (typeof headers['get'] === 'function') {
    return (headers as globalThis.Headers).get(name) ?? undefined
  }
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value[0] : (value as string | undefined)
}
