import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildConsole, builtConsole } from '../harness/console.ts'

/** What may be loaded before the first page stands, compressed. */
const mostKb = 300

before(buildConsole)

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}

test('the first page of the console loads less than 300 KB, compressed', () => {
  const manifest = JSON.parse(readFileSync(join(builtConsole, 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const files = new Set<string>(['index.html'])
  const load = (name: string) => {
    const chunk = manifest[name]
    assert.ok(chunk, name)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const importName of chunk.imports ?? []) load(importName)
  }
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry)
  load(entry ?? '')
  assert.ok(files.size >= 3, 'a page, a script and a style at least')
  const bytes = [...files].map((file) => {
    const compressed = join(builtConsole, `${file}.gz`)
    return statSync(existsSync(compressed) ? compressed : join(builtConsole, file)).size
  })
  const kb = Math.round(bytes.reduce((all, each) => all + each) / 1_000)
  console.log(`figure console.first_load_kb ${kb}`)
  assert.ok(kb < mostKb, `${kb} KB`)
})

test('the first page holds no script and no style of its own', () => {
  const page = readFileSync(join(builtConsole, 'index.html'), 'utf8')
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)/)
  assert.doesNotMatch(page, /<style|\son\w+=|javascript:/)
  const loads = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to ?? '')
  assert.ok(loads.length >= 3)
  for (const to of loads) assert.ok(to.startsWith('/console/'), to)
})

test('an installation without what builds the console goes without it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'feria-prepare-'))
  mkdirSync(join(folder, 'console'))
  const script = fileURLToPath(new URL('../../console/prepare.js', import.meta.url))
  cpSync(script, join(folder, 'console', 'prepare.js'))
  execFileSync(process.execPath, [join(folder, 'console', 'prepare.js')])
  assert.ok(!existsSync(join(folder, 'dist')))
  rmSync(folder, { recursive: true })
})
