import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** Prefix of a secret by Standard Webhooks. */
export const secretPrefix = 'whsec_'

/** Encodes a secret from 64 hex digits (32 random bytes). */
export function secretOf(hex: string): string {
  return secretPrefix + Buffer.from(hex, 'hex').toString('base64')
}

/** Cache of keys by secret: creating a key takes longer than signing. */
const keys = new Map<string, KeyObject>()
/** Cached keys. The cache is emptied when it is full. */
const maxKeys = 10_000

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret)
  if (!key) {
    if (keys.size >= maxKeys) keys.clear()
    key = createSecretKey(secret.slice(secretPrefix.length), 'base64')
    keys.set(secret, key)
  }
  return key
}

/**
 * Returns the signature headers of an attempt by Standard Webhooks 1.0. The id stays the same in all attempts. Each
 * secret makes one signature over `id.timestamp.body`. `x-feria-sequence` is the gapless number of the notification,
 * by which receivers detect a missing one.
 */
export function signedHeaders(
  { id, seq, sent, body }: { id: string; seq: number; sent: Date; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(sent.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const signed = createHmac('sha256', keyOf(secret))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
    return `v1,${signed}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
    'x-feria-sequence': String(seq),
  }
}
