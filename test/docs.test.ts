import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pageOf } from '../src/cli/frame/reference-page.ts'
import { table } from '../src/cli/table/table.ts'
import { failures } from '../src/kernel/failure.ts'
import { settings } from '../src/platform/settings.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The rows of all tables of a document, without their heads. */
function rowsOf(file: string): string[][] {
  return read(file)
    .split('\n')
    .filter((line, index, lines) => /^\| /.test(line) && !lines[index + 1]?.startsWith('|---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

test('docs/errors.md tells every failure as the program has it, and no other', () => {
  const told = rowsOf('docs/errors.md').map(([code, status, error, says]) => ({
    code,
    status,
    error,
    says,
  }))
  const known = Object.entries(failures).map(([code, { status, error, says }]) => ({
    code,
    status: String(status),
    error: `\`${error}\``,
    says,
  }))
  const byCode = (a: { code?: string | undefined }, b: { code?: string | undefined }) =>
    `${a.code}`.localeCompare(`${b.code}`)
  assert.deepEqual(told.sort(byCode), known.sort(byCode))
})

test('docs/errors.md says of every failure when it happens and where that is decided', () => {
  for (const [code, , , , when, section] of rowsOf('docs/errors.md')) {
    assert.match(when ?? '', /\w.*\.$/, `${code}: when`)
    assert.match(section ?? '', /^(\d(\.\d)?|own)(, own)?$/, `${code}: section`)
  }
})

test('docs/configuration.md tells every setting with its default and meaning, and no other', () => {
  const known = Object.entries(settings).map(([name, { default: usual, says }]) => [
    `\`${name}\``,
    usual === '' ? '' : `\`${usual}\``,
    says,
  ])
  assert.deepEqual(rowsOf('docs/configuration.md'), known)
})

test('docs/command-line.md is what the table of commands says, to the letter', () => {
  const says = 'write it anew: npm run --silent feria -- help --page > docs/command-line.md'
  assert.equal(read('docs/command-line.md'), pageOf(table), says)
})

test('a document that another one points to is there', () => {
  const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  assert.ok(documents.length > 3)
  const missing = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, to]) => to ?? '')
      .filter((to) => !existsSync(join(root, dirname(file), to)))
      .map((to) => `${file} points to ${to}`),
  )
  assert.deepEqual(missing, [])
})
