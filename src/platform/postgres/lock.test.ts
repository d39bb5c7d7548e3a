import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nextEvent } from '../../../test/harness/wait.ts'
import { EmbeddedFailure } from './failure.ts'
import { lockDirectory } from './lock.ts'
import { processMark } from './processes.ts'

function lockPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'feria-lock-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'feria.lock')
}

const filesBeside = (path: string) => readdirSync(join(path, '..'))

test('a lock is for one, and free again when it is released', async (t) => {
  const path = lockPath(t)
  const lock = await lockDirectory(path)
  assert.equal(lock.tookOver, false)
  await assert.rejects(lockDirectory(path), EmbeddedFailure)
  assert.deepEqual(filesBeside(path), ['feria.lock'])
  lock.release()
  assert.deepEqual(filesBeside(path), [])
  const next = await lockDirectory(path)
  lock.release()
  assert.deepEqual(filesBeside(path), ['feria.lock'], 'an old owner does not release a later one')
  next.release()
})

const dead = { pid: 2 ** 22 + 1, mark: 'boot 1', token: 'x' }
const reused = { pid: process.pid, mark: 'another boot 1', token: 'x' }
const staleLocks = {
  'a process that ended': JSON.stringify(dead),
  'an earlier process with our pid': JSON.stringify(reused),
  'a machine that lost power': '',
}
for (const [whose, text] of Object.entries(staleLocks)) {
  test(`the lock of ${whose} is taken over`, async (t) => {
    const path = lockPath(t)
    writeFileSync(path, text)
    // It may also have ended while it was itself taking over.
    writeFileSync(`${path}.turn`, text)
    const lock = await lockDirectory(path)
    assert.equal(lock.tookOver, true)
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).mark, processMark(process.pid))
    assert.deepEqual(filesBeside(path), ['feria.lock'])
    lock.release()
  })
}

test('of many that find the same dead owner one gets the lock', async (t) => {
  const path = lockPath(t)
  writeFileSync(path, JSON.stringify(dead))
  const script = `
    import { lockDirectory } from ${JSON.stringify(new URL('lock.ts', import.meta.url))}
    process.stdout.write('ready')
    process.stdin.once('data', async () => {
      process.stdout.write(await lockDirectory(process.argv[1]).then(() => ' won', () => ' lost'))
    }).once('end', () => process.exit())`
  const racers = Array.from({ length: 6 }, () => {
    const racer = spawn(process.execPath, ['--input-type=module', '-e', script, path])
    t.after(() => racer.kill('SIGKILL'))
    const waitForOutput = (wanted: RegExp) =>
      new Promise<string>((resolve, reject) => {
        let text = ''
        racer.stdout.on('data', (chunk) => {
          text += chunk
          if (wanted.test(text)) resolve(text)
        })
        racer.once('exit', () => reject(new Error('a racer fell')))
      })
    return { racer, waitForOutput }
  })
  await Promise.all(racers.map(({ waitForOutput }) => waitForOutput(/ready/)))
  const verdicts = racers.map(({ waitForOutput }) => waitForOutput(/won|lost/))
  for (const { racer } of racers) racer.stdin.write('go')
  assert.equal((await Promise.all(verdicts)).filter((text) => text.includes('won')).length, 1)
})

test('a process that is there has a mark that stays, one that ended has none', async () => {
  const child = spawn('sleep', ['60'])
  const pid = child.pid as number
  const mark = processMark(pid)
  assert.ok(mark)
  assert.equal(processMark(pid), mark)
  const ended = nextEvent(child, 'exit')
  child.kill('SIGKILL')
  await ended
  assert.equal(processMark(pid), undefined)
})
