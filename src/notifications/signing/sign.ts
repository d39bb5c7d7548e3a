import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** What a secret begins with where people see it (Standard Webhooks). */
export const secretPrefix = 'whsec_'

/** A secret from 32 random bytes. */
export function secretOf(hex: string): string {
  return secretPrefix + Buffer.from(hex, 'hex').toString('base64')
}

/** Keys that were made of secrets: making one takes longer than signing. */
const keys = new Map<string, KeyObject>()
const mostKeys = 10_000

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret)
  if (!key) {
    if (keys.size >= mostKeys) keys.clear()
    key = createSecretKey(secret.slice(secretPrefix.length), 'base64')
    keys.set(secret, key)
  }
  return key
}

/**
 * The headers that a delivery has beyond the contract's, as Standard Webhooks 1.0 has them: the same
 * id on every attempt, when this one was made, a signature for each secret in force over
 * `id.timestamp.body`; and the notification's number among those of its application, without a gap.
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
