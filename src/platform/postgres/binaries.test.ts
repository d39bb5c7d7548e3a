import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLibraryLinks } from './binaries.ts'
import { openServerLog } from './log.ts'

function temporaryDirectory(t: { after(fn: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'feria-binaries-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('links to libraries that are missing or lead nowhere are made, others stay', (t) => {
  const directory = temporaryDirectory(t)
  const library = (name: string) => join(directory, 'native', 'lib', name)
  mkdirSync(library(''), { recursive: true })
  writeFileSync(library('libpq.so.5.18'), 'the library')
  writeFileSync(library('libpq.so.own'), 'put there by somebody')
  symlinkSync('libpq.so.5.17', library('libpq.so.5'))
  const targets = ['libpq.so', 'libpq.so.5', 'libpq.so.own']
  const links = targets.map((target) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${target}`,
  }))
  writeFileSync(join(directory, 'native', 'pg-symlinks.json'), JSON.stringify(links))

  for (const turn of ['first', 'again']) {
    createLibraryLinks(directory)
    assert.equal(readlinkSync(library('libpq.so')), 'libpq.so.5.18', turn)
    const [linked, file] = [library('libpq.so.5'), library('libpq.so.5.18')].map((path) =>
      realpathSync(path),
    )
    assert.equal(linked, file)
    assert.equal(readFileSync(library('libpq.so.own'), 'utf8'), 'put there by somebody')
  }
})

test('a package without a list of links needs none', (t) => {
  assert.doesNotThrow(() => createLibraryLinks(temporaryDirectory(t)))
})

test('the log of the server is bounded, in its file and in memory', (t) => {
  const path = join(temporaryDirectory(t), 'postgres.log')
  const log = openServerLog(path, { maxBytes: 1_000 })
  for (let number = 1; number <= 200; number += 1) log.add(Buffer.from(`line ${number}\nand`))
  log.add(Buffer.from(' the end\n'))
  log.close()
  const logText = readFileSync(path, 'utf8')
  assert.ok(logText.length <= 1_000 && logText.endsWith('line 200\nand the end\n'))
  assert.ok(readFileSync(`${path}.1`, 'utf8').length <= 1_000)
  const lines = log.tail().split('\n')
  assert.equal(lines.length, 50)
  assert.deepEqual(lines.slice(-2), ['andline 200', 'and the end'])
})
