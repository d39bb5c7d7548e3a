import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { holdHashes } from '../../test/harness/hashes.ts'
import {
  codeAt,
  createAccount,
  operatorPassword,
  setUpTotp,
  signIn,
  trySignIn,
} from '../../test/harness/operators.ts'
import { HashQueue } from '../identity/passwords/hash-queue.ts'
import { hourMs, minuteMs } from '../kernel/clock.ts'

let app: TestApp
beforeEach(async () => {
  app = await openTestApp({ env: { FERIA_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterEach(() => app.close())

const email = 'ana@example.com'
const office = '203.0.113.1'
const elsewhere = '203.0.113.2'

/** Makes wrong attempts from one network until it is refused, and returns how many were answered otherwise. */
async function guessFrom(address: string, attempt: { email: string; code?: string }) {
  for (let n = 0; ; n++) {
    const { status } = await trySignIn(app, { password: 'a wrong password', ...attempt, address })
    if (status === 429) return n
    assert.equal(status, 401)
  }
}

/** Uses up the attempts of all strangers at the account, from networks of their own. */
async function exhaustAccount() {
  const counts: number[] = []
  for (let network = 1; network <= 11; network++) {
    counts.push(await guessFrom(`198.51.100.${network}`, { email }))
  }
  assert.equal(
    counts.reduce((sum, n) => sum + n),
    50,
  )
}

/** Lets an account sign in at the office and set up two-factor authentication there. */
async function setUpAtOffice() {
  await createAccount(app, { email, role: 'owner' })
  const token = await signIn(app, { email, address: office })
  const { secret, recoveryCodes } = await setUpTotp(app, token)
  app.advance(10 * minuteMs)
  return { token, recoveryCodes, code: () => codeAt(secret, app.ctx.now()) }
}

const wrongCodeFor = (code: string) => (code === '123456' ? '654321' : '123456')

test('strangers do not lock an account out of a network that it signed in from', async () => {
  await createAccount(app, { email, role: 'owner' })
  await signIn(app, { email, address: office })
  await exhaustAccount()
  assert.equal((await trySignIn(app, { email, address: elsewhere })).status, 429)
  await signIn(app, { email, address: office })
})

test('strangers do not lock out an owner with two-factor authentication, wherever it signs in', async () => {
  const { code } = await setUpAtOffice()
  await exhaustAccount()
  await signIn(app, { email, code: code(), address: elsewhere })
})

test('somebody in the network of an owner with two-factor authentication does not lock it out', async () => {
  const { code } = await setUpAtOffice()
  assert.equal(await guessFrom(office, { email }), 5)
  await signIn(app, { email, code: code(), address: office })
})

test('past the limits, nobody learns whether a password is right without the code', async () => {
  const { code } = await setUpAtOffice()
  await createAccount(app, { email: 'plain@example.com', role: 'support' })
  await exhaustAccount()
  const wrongCode = wrongCodeFor(code())
  const texts = new Set<string>()
  for (const attempt of [
    {},
    { code: wrongCode },
    { code: code(), password: 'a wrong password' },
    { code: wrongCode, password: 'a wrong password' },
  ]) {
    const { status, text } = await trySignIn(app, { email, ...attempt, address: elsewhere })
    assert.equal(status, 429)
    texts.add(text)
  }
  assert.equal(texts.size, 1)
  // The code is still good: the attempt with a wrong password has not used it up.
  await signIn(app, { email, code: code(), address: elsewhere })
})

test('past the limits, codes are limited, in one network and in all', async () => {
  const { code, recoveryCodes } = await setUpAtOffice()
  await exhaustAccount()
  const guess = (address: string) => trySignIn(app, { email, code: wrongCodeFor(code()), address })
  for (let n = 0; n < 5; n++) assert.equal((await guess(elsewhere)).status, 429)
  assert.equal((await trySignIn(app, { email, code: code(), address: elsewhere })).status, 429)
  app.advance(minuteMs)
  await signIn(app, { email, code: code(), address: elsewhere })
  app.advance(minuteMs)
  for (let network = 1; network <= 40; network++) {
    for (let n = 0; n < 5; n++) await guess(`192.0.2.${network}`)
  }
  const stranger = '192.0.2.99'
  assert.equal((await trySignIn(app, { email, code: code(), address: stranger })).status, 429)
  // Nobody keeps the owner out of a network that it signed in from, or out of all with a recovery code.
  await signIn(app, { email, code: code(), address: office })
  await signIn(app, { email, code: recoveryCodes[0] ?? '', address: stranger })
})

test('past the limits, a password is hashed only after a right code, whatever the account', async (t) => {
  const { code, recoveryCodes } = await setUpAtOffice()
  await createAccount(app, { email: 'plain@example.com', role: 'support' })
  const emails = [email, 'plain@example.com', 'nobody@example.com']
  for (const guessed of emails) await guessFrom(elsewhere, { email: guessed })
  const hashes = holdHashes(t)
  const texts = new Set<string>()
  for (const guessed of emails) {
    for (const wrong of [wrongCodeFor(code()), 'aaaaa-bbbbb-ccccc-ddddd']) {
      const attempt = { email: guessed, code: wrong, address: elsewhere }
      const { status, text } = await trySignIn(app, attempt)
      assert.equal(status, 429)
      texts.add(text)
    }
  }
  assert.equal(texts.size, 1)
  assert.deepEqual(hashes.started, [])
  hashes.release()
  const attempt = { email, code: recoveryCodes[0] ?? '', address: elsewhere }
  await signIn(app, attempt)
  assert.equal(hashes.started.length, 1)
  // A code that was used is a wrong one.
  await guessFrom(elsewhere, { email })
  const { length } = hashes.started
  assert.equal((await trySignIn(app, attempt)).status, 429)
  assert.equal(hashes.started.length, length)
})

test('past the limits, one password is checked at a time, and one of two signs in with a code', async (t) => {
  const { code } = await setUpAtOffice()
  await guessFrom(office, { email })
  const hashes = holdHashes(t)
  const attempts = [1, 2].map(() => trySignIn(app, { email, code: code(), address: office }))
  await hashes.whenStarted(operatorPassword)
  // A check within the limits runs beside it.
  const password = 'another password'
  const other = trySignIn(app, { email, password, address: elsewhere })
  await hashes.whenStarted(password)
  hashes.release()
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 429])
  assert.equal((await other).status, 401)
})

test('one network tries one password at few accounts only, known or not, and users do not count', async () => {
  await createAccount(app, { email, role: 'owner' })
  const spray = (n: number) =>
    trySignIn(app, { email: `u${n}@example.com`, password: 'a wrong password', address: elsewhere })
  const statuses: number[] = []
  for (let n = 0; n < 32; n++) statuses.push((await spray(n)).status)
  assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [30, 429])
  assert.equal((await trySignIn(app, { email, address: elsewhere })).status, 429)
  await signIn(app, { email, address: '203.0.113.3' })
  app.advance(15 * minuteMs)
  await signIn(app, { email, address: elsewhere })
})

test('the attempts of an hour are counted by network and account, across the minutes', async () => {
  await createAccount(app, { email, role: 'owner' })
  assert.equal(await guessFrom(elsewhere, { email }), 5)
  app.advance(minuteMs)
  assert.equal(await guessFrom(elsewhere, { email }), 5)
  app.advance(minuteMs)
  assert.equal(await guessFrom(elsewhere, { email }), 0)
  app.advance(hourMs)
  await signIn(app, { email, address: elsewhere })
})

test('passwords from known networks, and those with a right code, are checked ahead of strangers', async (t) => {
  const { code } = await setUpAtOffice()
  const runs = t.mock.method(HashQueue.prototype, 'run').mock
  for (const [attempt, isStranger] of [
    [{ address: elsewhere }, true],
    [{ address: elsewhere, code: wrongCodeFor(code()) }, true],
    [{ address: elsewhere, email: 'nobody@example.com', code: code() }, true],
    [{ address: office }, false],
    [{ address: elsewhere, code: code() }, false],
  ] as const) {
    await trySignIn(app, { email, ...attempt })
    assert.deepEqual(runs.calls.at(-1)?.arguments[1], { isStranger })
  }
})
