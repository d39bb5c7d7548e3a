import { createHmac, timingSafeEqual } from 'node:crypto'

/** A notification that was sent by who knows the secret (contract 6.1, Standard Webhooks 1.0). */
export interface Notification {
  /** The same on every attempt, in the feed and as `_id` of the body: who has seen it has seen it. */
  id: string
  topic: string
  /** What changed, as a path; for messages a bare id. */
  resource: string
  userId: number
  applicationId: number
  /** Which attempt this is, from 1. */
  attempts: number
  /** Its number among those of its application, without a gap; undefined where there is none. */
  sequence: number | undefined
  /** The body as it was sent. */
  body: Readonly<Record<string, unknown>>
}

export type Headers = globalThis.Headers | Readonly<Record<string, string | string[] | undefined>>

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now, either way; 300. */
  toleranceSeconds?: number
  /** Milliseconds since 1970, for tests. */
  now?: () => number
}

/** It is not what it claims to be, or too old to be believed: answer with 401 and do nothing. */
export class NotGenuine extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'NotGenuine'
  }
}

const prefix = 'whsec_'
const version = 'v1,'

/**
 * Checks a notification against the secrets in force and reads it. `body` are the bytes as they
 * arrived: JSON that was parsed and written again has another signature. With several secrets
 * (`whsec_…`) and several signatures any pair may fit, so that a secret can be changed without missing
 * one. Every pair is compared, each in constant time. Throws `NotGenuine`.
 */
export function verifyNotification(
  headers: Headers,
  body: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Notification {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const given = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !given) throw new NotGenuine('the signature’s headers are missing')
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotGenuine('webhook-timestamp is no time')
  const ageSeconds = Math.abs(now() / 1000 - Number(timestamp))
  if (ageSeconds > toleranceSeconds) throw new NotGenuine('webhook-timestamp is too far from now')

  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const signatures = given.split(' ').filter((each) => each.startsWith(version))
  let fits = false
  for (const secret of [secrets].flat()) {
    const expected = signatureOf(secret, `${id}.${timestamp}.`, bytes)
    for (const signature of signatures) {
      if (isEqual(Buffer.from(signature.slice(version.length)), expected)) fits = true
    }
  }
  if (!fits) throw new NotGenuine('no signature fits')
  return notificationIn(id, headerOf(headers, 'x-feria-sequence'), bytes)
}

function signatureOf(secret: string, head: string, body: Uint8Array): Buffer {
  const key = Buffer.from(
    secret.startsWith(prefix) ? secret.slice(prefix.length) : secret,
    'base64',
  )
  // Whoever has an empty key by mistake would believe everybody.
  if (key.length === 0) throw new TypeError('a secret is whsec_ and base64')
  return Buffer.from(createHmac('sha256', key).update(head).update(body).digest('base64'))
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** That of pictures is wrapped in a list of one (contract 6.1). */
function notificationIn(id: string, sequence: string | undefined, bytes: Uint8Array): Notification {
  const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>
  const told = (
    Array.isArray(body['messages']) ? body['messages'][0] : body
  ) as ReceivedNotification
  return {
    id,
    topic: String(told.topic),
    resource: String(told.resource),
    userId: Number(told.user_id),
    applicationId: Number(told.application_id),
    attempts: Number(told.attempts),
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

function headerOf(headers: Headers, name: string): string | undefined {
  if (typeof headers['get'] === 'function') {
    return (headers as globalThis.Headers).get(name) ?? undefined
  }
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : (found as string | undefined)
}
