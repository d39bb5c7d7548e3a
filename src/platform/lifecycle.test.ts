import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

function open(boundMs: number) {
  const logLines: string[] = []
  const say = (level: string) => (fields: object, text: string) =>
    void logLines.push(`${level} ${'part' in fields ? fields.part : ''}: ${text}`)
  const log: Log = {
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    answered: () => {},
    isLevelEnabled: () => true,
  }
  return { lifecycle: new Lifecycle(boundMs, log), logLines }
}

const never = () => new Promise<void>(() => {})

test('what was opened last is closed first, one after the other', async () => {
  const { lifecycle, logLines } = open(60_000)
  const closed: string[] = []
  for (const name of ['database', 'server', 'loops']) {
    lifecycle.add(name, async () => {
      closed.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      closed.push(`${name} ends`)
    })
  }
  await lifecycle.close()
  assert.deepEqual(closed, [
    'loops begins',
    'loops ends',
    'server begins',
    'server ends',
    'database begins',
    'database ends',
  ])
  assert.deepEqual(logLines, [])
})

test('a part that hangs is left behind, and those behind it are still closed', async () => {
  const { lifecycle, logLines } = open(20)
  let closed = 0
  lifecycle.add('database', async () => closed++)
  lifecycle.add('server', never)
  lifecycle.add('loops', async () => closed++)
  await lifecycle.close()
  assert.equal(closed, 2)
  assert.deepEqual(logLines, ['warn server: did not stop in time'])
})

test('a part that fails is reported, and those behind it are still closed', async () => {
  const { lifecycle, logLines } = open(60_000)
  let closed = 0
  lifecycle.add('database', async () => closed++)
  lifecycle.add('server', async () => {
    throw new Error('no')
  })
  lifecycle.add('loops', () => {
    throw new Error('before there was a promise')
  })
  await lifecycle.close()
  assert.equal(closed, 1)
  assert.deepEqual(logLines, [
    'error loops: failed while stopping',
    'error server: failed while stopping',
  ])
})

test('closed twice, everything is closed once, and both wait for it', async () => {
  const { lifecycle } = open(60_000)
  let closed = 0
  lifecycle.add('database', async () => {
    await new Promise((resolve) => setImmediate(resolve))
    closed++
  })
  await Promise.all([lifecycle.close(), lifecycle.close()])
  assert.equal(closed, 1)
  await lifecycle.close()
  assert.equal(closed, 1)
})
