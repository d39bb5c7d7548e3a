import assert from 'node:assert/strict'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { type CliFixture, openCliFixture, parseJsonLines } from '../harness/cli-fixture.ts'
import { pollUntil } from '../harness/wait.ts'

let cli: CliFixture
before(async () => {
  cli = await openCliFixture()
})
after(() => cli.close())

const user = (id: number) =>
  JSON.stringify({ type: 'user', id, site_id: 'MLA', nickname: `U${id}` })

/** A file with so many users in it, numbered from `from` on. */
async function fileOf(name: string, { from, count }: { from: number; count: number }) {
  const file = join(cli.dataDirectory, name)
  const stream = createWriteStream(file)
  for (let id = from; id < from + count; id++) stream.write(`${user(id)}\n`)
  stream.end()
  await finished(stream)
  return file
}

async function countUsers(from: number, count: number): Promise<number> {
  let userCount = 0
  for (let after = from - 1; ; ) {
    const [page] = await cli.runJson('users', 'list', '--limit', '1000', '--after', String(after))
    userCount += page.users.filter(({ id }: { id: number }) => id < from + count).length
    if (page.next_after === null || page.next_after >= from + count) return userCount
    after = page.next_after
  }
}

test('a file is imported, and again without anything being doubled', async () => {
  const { runSuccessfully, runJson } = cli
  const file = await fileOf('users.ndjson', { from: 1_000, count: 2_500 })
  assert.equal(
    await runSuccessfully('import', file),
    '2500 lines: 2500 imported, 0 there already, 0 refused\n',
  )
  const lines = await runJson('import', file)
  assert.deepEqual(lines.at(-1), {
    finished: true,
    done: 2_500,
    imported: 0,
    unchanged: 2_500,
    refused: 0,
  })
  assert.equal(await countUsers(1_000, 2_500), 2_500)
})

test('refused lines are told by their numbers, the others are imported, and it ends with 1', async () => {
  const file = join(cli.dataDirectory, 'mixed.ndjson')
  const bad = '{"type":"user","id":11,"site_id":"XXX","nickname":"U"}'
  writeFileSync(file, [user(10), bad, 'no json', user(12)].join('\n'))
  const ran = await cli.startCommand('import', file).ended
  assert.equal(ran.code, 1)
  assert.match(ran.stdout, /^line 2: bad_request: site_id: expected.*\nline 3: /)
  assert.match(ran.stdout, /\n4 lines: 2 imported, 0 there already, 2 refused\n$/)
  const again = await cli.startCommand('import', file, '--json').ended
  assert.equal(again.code, 1)
  const values = parseJsonLines(again.stdout)
  assert.deepEqual(
    values.filter(({ line }) => line).map(({ line }) => line),
    [2, 3],
  )
  assert.equal(values.at(-1).unchanged, 2)
})

test('standard input is imported while it comes, and progress is told elsewhere than in a terminal', async () => {
  const running = cli.startCommand('import', '-')
  running.child.stdin.write(`${user(20)}\n`)
  await pollUntil('the first line to be done', () => /1 lines/.test(running.soFar()))
  running.child.stdin.end(`${user(21)}\n`)
  const { code, stdout, stderr } = await running.ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^2 lines: 2 imported/)
  const file = await fileOf('more.ndjson', { from: 30_000, count: 5_000 })
  const ran = await cli.startCommand('import', file).ended
  assert.match(ran.stderr, /^\d+ of 5000 lines \(\d+ %\)\n/)
  assert.match(ran.stderr, /5000 of 5000 lines \(100 %\)\n$/)
})

test('what cannot be imported at all is said, and nothing is sent', async () => {
  const { expectFailure } = cli
  await expectFailure(1, /ENOENT.*none\.ndjson/, 'import', join(cli.dataDirectory, 'none.ndjson'))
  await expectFailure(1, /EISDIR/, 'import', cli.dataDirectory)
  await expectFailure(2, /FILE is missing/, 'import')
  const file = await fileOf('one.ndjson', { from: 40, count: 1 })
  await expectFailure(1, /There is no Feria at/, 'import', file, '--server', 'http://127.0.0.1:1')
})

test('interrupted and begun again, an import loses nothing and doubles nothing', {
  timeout: 120_000,
}, async () => {
  const [from, count] = [100_000, 30_000]
  const file = await fileOf('many.ndjson', { from, count })
  const first = cli.startCommand('import', file, '--json')
  await pollUntil('some to be done', () => first.soFar().includes('"done":'))
  first.child.kill('SIGINT')
  assert.equal((await first.ended).code, 130)
  const second = cli.startCommand('import', file, '--json')
  await pollUntil('some more to be done', () => second.soFar().includes('"done":'))
  await cli.restart({ killed: true })
  const cut = await second.ended
  assert.equal(cut.code, 1, cut.stderr)
  assert.match(
    cut.stderr,
    /There is no Feria at .*\n\d+ lines were done and stay\. Send the same file/,
  )
  const done = parseJsonLines(cut.stdout).at(-1).done
  const third = await cli.runJson('import', file)
  const { imported, unchanged, refused, finished } = third.at(-1)
  assert.deepEqual([finished, refused, imported + unchanged], [true, 0, count])
  assert.ok(unchanged >= done, 'what was said to be done was')
  assert.ok(imported > 0, 'it was cut short')
  assert.equal(await countUsers(from, count), count)
})
