import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { blocksOf } from './blocks.ts'
import { openSession, type Session } from './session.ts'

/** The runner fails on what does not work, and sees what does; docs-commands.slow.test.ts uses it. */
const hasBash = spawnSync('bash', ['--version']).status === 0
const skip = hasBash ? false : 'there is no bash'

let session: Session
before(async () => {
  if (!skip) session = await openSession({ port: '65001', setup: 'WORD=hello', eventuallyMs: 500 })
})
after(async () => session?.close())

const page = (...lines: string[]) => blocksOf('page.md', lines.join('\n'))
async function run(...lines: string[]): Promise<void> {
  const commands = page(...lines).filter(({ language }) => language !== 'json')
  for (const block of commands) await session.run(block)
}

test('variables, files and terminals last from block to block', { skip }, async () => {
  await run('<!-- file: a.txt -->', '```text', 'saved', '```')
  await run('<!-- shows: saved hello -->', '```sh', 'THERE=$(cat a.txt); echo $THERE $WORD', '```')
  await run('<!-- terminal: ready -->', '```sh', 'echo ready; sleep 0.2; echo later', '```')
  await run('<!-- shows: later -->', '```sh', 'echo $THERE', '```')
  await run('<!-- shows: HELLO -->', '```js', 'console.log(process.env.WORD.toUpperCase())', '```')
})

test('ports of the page are others, and equal numbers are not', { skip }, async () => {
  const command = 'echo http://localhost:8080/x "id:3000" > b.txt; cat b.txt'
  await run('<!-- shows: http://localhost:8080/x id:3000 -->', '```sh', command, '```')
  await run('<!-- shows: 65001/x -->', '```sh', "tr ':' ' ' < b.txt", '```')
})

test('an answer is compared with what the page shows', { skip }, async () => {
  const shown = (json: string) => [
    '```sh',
    `echo '{"a":1,"b":2}'`,
    '```',
    '',
    '```json',
    json,
    '```',
  ]
  await run(...shown('{"a":1}'))
  await assert.rejects(run(...shown('{"a":2}')), /page\.md:1: \.a: expected 2, got 1/)
  await assert.rejects(run('<!-- shows: x -->', '```sh', 'echo y', '```'), /nothing shows "x"/)
})

test('a command that fails ends the page', { skip }, async () => {
  const failing = ['npm ci', 'false | cat', 'X=$(false)', 'feria no-such-command']
  for (const command of failing) {
    const own = await openSession({ port: '65001', setup: '' })
    try {
      const [block] = page('```sh', command, '```')
      assert.ok(block)
      await assert.rejects(own.run(block), /page\.md:1 fails/, command)
    } finally {
      await own.close()
    }
  }
})
