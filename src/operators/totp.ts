import { Secret, TOTP } from 'otpauth'
import { digestOf } from '../identity/token.ts'
import { secondMs } from '../kernel/clock.ts'
import type { Random } from '../platform/random.ts'

/** Seconds for which an authenticator app shows a code (RFC 6238). */
const stepSeconds = 30
/** Codes of the step before and after are accepted too, because clocks differ. */
const acceptedSkew = 1
const recoveryCodeCount = 10

const makeTotp = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Feria',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    secret: Secret.fromBase32(secret),
  })

/** Returns a new secret of 160 random bits in Base32. */
export function makeTotpSecret(random: Random): string {
  return Secret.fromHex(random.hex(20)).base32
}

/** Returns the address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return makeTotp(secret, email).toString()
}

const digitsOf = (code: string) => code.replace(/\s/g, '')

/** Returns whether a code looks like one of an authenticator app. Recovery codes are longer. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(digitsOf(code))
}

/** Returns the step of a code, or undefined if it is wrong. Spaces make no difference. */
export function totpStepOf(code: string, secret: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const token = digitsOf(code)
  const delta = makeTotp(secret).validate({ token, timestamp, window: acceptedSkew })
  return delta === null ? undefined : Math.floor(timestamp / (stepSeconds * secondMs)) + delta
}

/** Returns ten recovery codes of 80 random bits: `a3f09-…`. */
export function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    (random.hex(10).match(/.{5}/g) ?? []).join('-'),
  )
}

/** Returns the stored form of a recovery code. Capitals, hyphens and spaces make no difference. */
export function recoveryDigestOf(code: string): string {
  return digestOf(code.toLowerCase().replace(/[\s-]/g, ''))
}
