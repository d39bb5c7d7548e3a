import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'libpg-query'
import { splitStatements } from './statements.ts'

const cases: [text: string, statements: string[]][] = [
  ['', []],
  ['-- nothing; at all\n', []],
  ['select 1', ['select 1']],
  ['select 1;select 2;\n', ['select 1', 'select 2']],
  [`select ';' as ";;"; select 'it''s;'`, [`select ';' as ";;"`, `select 'it''s;'`]],
  ['select 1 -- one; two\n; select /* a;b */ 2', ['select 1', 'select   2']],
  [
    'do $$ begin a; b; end $$; select $x$ $$; $x$',
    ['do $$ begin a; b; end $$', 'select $x$ $$; $x$'],
  ],
  ['select $1; select $2', ['select $1', 'select $2']],
]

for (const [text, statements] of cases) {
  test(`the statements of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(splitStatements(text), statements)
  })
}

test('every migration is cut where the parser of PostgreSQL cuts it', async () => {
  const files = globSync(fileURLToPath(new URL('../../../migrations/*.sql', import.meta.url)))
  assert.ok(files.length > 50)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const whole = await parse(text)
    const parts = await Promise.all(splitStatements(text).map((part) => parse(part)))
    for (const { stmts } of parts) assert.equal(stmts?.length, 1, file)
    const trees = (stmts: { stmt?: unknown }[] | undefined) =>
      (stmts ?? []).map(({ stmt }) => withoutLocations(stmt))
    assert.deepEqual(
      parts.flatMap(({ stmts }) => trees(stmts)),
      trees(whole.stmts),
      file,
    )
  }
})

function withoutLocations(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value) =>
      /(location|list_start|list_end)$/.test(key) ? undefined : value,
    ),
  )
}
