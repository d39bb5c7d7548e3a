import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../../platform/random.ts'
import type { TokenAnswer } from './grant.ts'

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts the answer to a refresh token, in base64, with a key derived from that token. The database stores only the
 * digest of the token, from which the key cannot be derived.
 */
export function sealAnswer(random: Random, refreshToken: string, answer: TokenAnswer): string {
  const iv = Buffer.from(random.hex(ivBytes), 'hex')
  const sealing = createCipheriv(cipher, keyOf(refreshToken), iv, { authTagLength: tagBytes })
  const text = Buffer.concat([sealing.update(JSON.stringify(answer)), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), text]).toString('base64')
}

/** Decrypts a sealed answer. Returns undefined if it was not sealed for this token. */
export function openAnswer(refreshToken: string, sealed: string): TokenAnswer | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  const iv = bytes.subarray(0, ivBytes)
  const tag = bytes.subarray(ivBytes, ivBytes + tagBytes)
  try {
    const opening = createDecipheriv(cipher, keyOf(refreshToken), iv, { authTagLength: tagBytes })
    opening.setAuthTag(tag)
    const text = opening.update(bytes.subarray(ivBytes + tagBytes))
    return JSON.parse(Buffer.concat([text, opening.final()]).toString())
  } catch {
    return undefined
  }
}

/** A refresh token has 96 random bits, so its key needs no slow derivation. */
function keyOf(refreshToken: string): Buffer {
  return Buffer.from(hkdfSync('sha256', refreshToken, '', 'successor of a refresh token', 32))
}
