import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { PasswordCost } from '../../platform/password-cost.ts'
import { HashQueue } from './hash-queue.ts'

const keyBytes = 32
const shape = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([0-9a-f]{32})\$([0-9a-f]{64})$/

/** Returns the stored form of a password: `scrypt$<ln>$<r>$<p>$<salt>$<key>`. Salt and key are in hex digits. */
export async function hashPassword(
  { random, passwordCost }: Pick<Context, 'random' | 'passwordCost'>,
  password: string,
): Promise<string> {
  const salt = random.hex(16)
  const key = await derive(password, { ...passwordCost, salt })
  return storedForm(passwordCost, salt, key.toString('hex'))
}

/**
 * Returns whether the password matches, and whether the stored hash has another cost than configured. Without a stored
 * hash it takes as long and returns false, so that accounts cannot be probed. Throws `unavailable` for a stranger
 * when too many wait.
 */
export async function checkPassword(
  { passwordCost }: Pick<Context, 'passwordCost'>,
  attempt: { password: string; stored: string | undefined; isStranger: boolean },
): Promise<{ isRight: boolean; isDated: boolean }> {
  const { password, stored, isStranger } = attempt
  const [, ln, r, p, salt = '', key = ''] = shape.exec(stored ?? dummyHash(passwordCost)) ?? []
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  const derived = await derive(password, { ...cost, salt }, isStranger)
  const isRight = timingSafeEqual(derived, Buffer.from(key, 'hex')) && stored !== undefined
  const isDated =
    cost.ln !== passwordCost.ln || cost.r !== passwordCost.r || cost.p !== passwordCost.p
  return { isRight, isDated }
}

const storedForm = ({ ln, r, p }: PasswordCost, salt: string, key: string) =>
  ['scrypt', ln, r, p, salt, key].join('$')

/** The hash to check when none is stored, so that the answer takes as long as for an existing user. */
const dummyHash = (cost: PasswordCost) => storedForm(cost, '0'.repeat(32), '0'.repeat(64))

/** Each hash takes 32 MiB and one of the four libuv threads, which also serve file access and DNS. */
const queue = new HashQueue({ concurrency: 2, longest: 32 })

function derive(
  password: string,
  { ln, r, p, salt }: { ln: number; r: number; p: number; salt: string },
  isStranger = false,
): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
  const work = () => deriveKey(password.normalize('NFKC'), Buffer.from(salt, 'hex'), options)
  return queue.run(work, { isStranger })
}

function deriveKey(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
