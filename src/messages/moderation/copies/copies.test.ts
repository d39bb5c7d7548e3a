import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { contract } from '../../../../test/harness/contract.ts'
import { anaId, carlaId } from '../../../../test/harness/market.ts'
import { copyLimit, deleteOldFingerprints, findCopies } from './copies.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { countCopies, saveFingerprints } from './store.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const start = new Date('2026-03-10T15:00:00.000Z')
const later = (ms: number) => new Date(start.getTime() + ms)

/** A text that no other test sends: written in words that stand in no other. */
function textOf(word: string): string {
  const words = Array.from({ length: 14 }, (_, index) => `${word}${'abcdefghijklmn'[index]}`)
  return words.join(' ')
}

function send(text: string, packId: number, { sellerId = anaId, at = start } = {}) {
  const prints = fingerprintsOf(text)
  return app.ctx.db.transaction((tx) => saveFingerprints(tx, { sellerId, packId, prints, at }))
}

function count(
  text: string,
  packId: number,
  { sellerId = anaId, since = start, enough = 100 } = {},
) {
  const asked = { sellerId, packId, prints: fingerprintsOf(text), since, enough }
  return countCopies(app.ctx.db, asked)
}

contract(
  '2.10',
  'copies to other packs are counted once a pack; the own pack, other sellers and other texts are not',
  async () => {
    const text = textOf('luz')
    for (const packId of [1, 2, 2, 3]) await send(text, packId)
    await send(text, 4, { sellerId: carlaId })
    await send(textOf('sombra'), 5)
    assert.equal(await count(text, 1), 2)
    assert.equal(await count(text, 9), 3)
    assert.equal(await count(text, 9, { sellerId: carlaId }), 1)
    assert.equal(await count(text, 4, { sellerId: carlaId }), 0)
    assert.equal(await count(textOf('nada'), 9), 0)
  },
)

contract('2.10', 'what was sent before then does not count', async () => {
  const text = textOf('rio')
  await send(text, 1, { at: start })
  await send(text, 2, { at: later(1_000) })
  assert.equal(await count(text, 9), 2)
  assert.equal(await count(text, 9, { since: later(1) }), 1)
  assert.equal(await count(text, 9, { since: later(1_001) }), 0)
})

test('the same text again to the same pack in the same instant is saved without a conflict', async () => {
  const text = textOf('eco')
  await Promise.all([send(text, 1), send(text, 1), send(text, 1)])
  assert.equal(await count(text, 2), 1)
})

contract('2.10', 'of many that are sent at the same time none is lost', async () => {
  const text = textOf('mar')
  await Promise.all(Array.from({ length: 40 }, (_, packId) => send(text, packId + 1)))
  assert.equal(await count(text, 99), 40)
  assert.equal(await count(text, 99, { enough: 30 }), 30, 'counted no further than asked')
})

test('what is rolled back was not sent', async () => {
  const text = textOf('aire')
  const failed = app.ctx.db.transaction(async (tx) => {
    saveFingerprints(tx, { sellerId: anaId, packId: 1, prints: fingerprintsOf(text), at: start })
    throw new Error('no')
  })
  await assert.rejects(failed, /no/)
  assert.equal(await count(text, 9), 0)
})

const sending = (text: string, packId: number, at: Date) =>
  app.ctx.db.transaction((tx) => findCopies(tx, { sellerId: anaId, packId, text, at }))

contract(
  '2.10',
  'one copy too many is AUTOMATIC_MESSAGE, and so are those after it until the time has passed',
  async () => {
    const text = textOf('sol')
    for (let packId = 1; packId <= copyLimit.packs; packId++) {
      assert.equal(await sending(text, packId, start), undefined, `pack ${packId}`)
    }
    const decision = { reason: 'AUTOMATIC_MESSAGE', rule: 'copies', from: 0, to: text.length }
    assert.deepEqual(await sending(text, 100, later(1_000)), decision)
    assert.deepEqual(await sending(text, 101, later(copyLimit.withinMs)), decision)
    assert.equal(await sending(text, 102, later(2 * copyLimit.withinMs + 1)), undefined)
  },
)

contract('2.10', 'short texts never are, to however many they go', async () => {
  for (let packId = 1; packId <= copyLimit.packs + 5; packId++) {
    assert.equal(await sending('Gracias por tu compra!', packId, start), undefined)
  }
})

test('a turn forgets what is too old to be compared with, and nothing else', async () => {
  const text = textOf('nieve')
  await send(text, 1, { at: app.ctx.now() })
  await deleteOldFingerprints(app.ctx)
  assert.equal(await count(text, 9), 1)
  app.advance(copyLimit.withinMs + 1)
  await deleteOldFingerprints(app.ctx)
  assert.equal(await count(text, 9), 0)
})
