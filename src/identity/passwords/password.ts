import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { Random } from '../../platform/random.ts'

/** How hard a password is to guess from what is stored: OWASP's advice for scrypt, in the form that
 * takes 32 MiB and not 128. `ln` is the logarithm of the cost. */
const cost = { ln: 15, r: 8, p: 3 }
const keyBytes = 32
const shape = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([0-9a-f]{32})\$([0-9a-f]{64})$/

/** What is stored of a password: `scrypt$<ln>$<r>$<p>$<salt>$<key>`, in hex digits. */
export async function hashPassword(random: Random, password: string): Promise<string> {
  const salt = random.hex(16)
  const key = await derive(password, { ...cost, salt })
  return ['scrypt', cost.ln, cost.r, cost.p, salt, key.toString('hex')].join('$')
}

/** Whether it is this password; and whether what is stored should be made anew, since more is asked of
 * it by now. Without anything stored it takes as long, and is false. */
export async function checkPassword(
  password: string,
  stored: string | undefined,
): Promise<{ isRight: boolean; isDated: boolean }> {
  const [, ln, r, p, salt = '', key = ''] = shape.exec(stored ?? nobodys) ?? []
  const given = { ln: Number(ln), r: Number(r), p: Number(p) }
  const derived = await derive(password, { ...given, salt })
  const isRight = timingSafeEqual(derived, Buffer.from(key, 'hex')) && stored !== undefined
  const isDated = given.ln !== cost.ln || given.r !== cost.r || given.p !== cost.p
  return { isRight, isDated }
}

const nobodys = ['scrypt', cost.ln, cost.r, cost.p, '0'.repeat(32), '0'.repeat(64)].join('$')

/** So many at once: each takes 32 MiB and a thread of the four that files and names are read by. */
const mostAtOnce = 2
let running = 0
const waiting: (() => void)[] = []

async function derive(
  password: string,
  { ln, r, p, salt }: { ln: number; r: number; p: number; salt: string },
): Promise<Buffer> {
  while (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
    return await deriveKey(password.normalize('NFKC'), Buffer.from(salt, 'hex'), options)
  } finally {
    running--
    waiting.shift()?.()
  }
}

function deriveKey(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
