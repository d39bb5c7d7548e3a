import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import { pollUntil } from './wait.ts'

/** Holds the hashes of passwords of this process until they are released, and lists the passwords of those that have started. */
export function holdHashes(t: TestContext) {
  const held: (() => void)[] = []
  const started: unknown[] = []
  let isHeld = true
  const scrypt = crypto.scrypt as (...input: unknown[]) => void
  const mock = t.mock.method(crypto, 'scrypt', (...input: unknown[]) => {
    started.push(input[0])
    if (isHeld) held.push(() => scrypt(...input))
    else scrypt(...input)
  })
  syncBuiltinESMExports()
  const release = () => {
    isHeld = false
    for (const hash of held.splice(0)) hash()
  }
  t.after(() => {
    release()
    mock.mock.restore()
    syncBuiltinESMExports()
  })
  return {
    started,
    /** Lets the hashes that wait run, and all later ones. */
    release,
    whenStarted: (password: string) =>
      pollUntil(`the hash of ${password}`, () => started.includes(password)),
  }
}
