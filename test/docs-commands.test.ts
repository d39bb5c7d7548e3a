import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { UsageFailure } from '../src/cli/frame/failure.ts'
import { parse } from '../src/cli/frame/parse.ts'
import { resolveCommand } from '../src/cli/frame/table.ts'
import { table } from '../src/cli/table/table.ts'
import {
  type Block,
  blocksOfPage,
  commandPages,
  commandReference,
  isCommand,
  root,
} from './harness/docs/blocks.ts'
import { requestScript } from './harness/docs/session.ts'

/** What holds of every block without running it; docs-commands.slow.test.ts runs them. */
const blocks = commandPages().flatMap(blocksOfPage)
const commands = blocks.filter(isCommand)
const placeOf = ({ page, line }: Block) => `${page}:${line}`
const isShell = ({ language }: Block) => language === 'sh' || language === 'bash'

/** Command lines of a shell block, with continued lines joined and without comments. */
const linesOf = ({ text }: Block) =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, ''))
    .filter((line) => line !== '')

test('every block says its language, so that no command hides in a block of text', () => {
  assert.deepEqual(blocks.filter(({ language }) => language === '').map(placeOf), [])
})

test('a command that is not run says why, and a test that it names is there', () => {
  for (const block of commands) {
    const { notRun } = block
    if (notRun === undefined) continue
    assert.match(notRun, /\w+ \w+/, placeOf(block))
    for (const [file] of notRun.matchAll(/\b[\w./-]+\.test\.ts/g)) {
      assert.ok(existsSync(join(root, file)), `${placeOf(block)} names ${file}`)
    }
  }
})

test('an example of JSON is JSON', () => {
  for (const block of blocks) {
    if (block.language === 'json') {
      assert.doesNotThrow(() => JSON.parse(block.text), placeOf(block))
    }
    if (block.language === 'ndjson') {
      for (const line of block.text.split('\n')) {
        assert.doesNotThrow(() => JSON.parse(line), placeOf(block))
      }
    }
  }
})

const hasBash = spawnSync('bash', ['--version']).status === 0
test('every shell block is a script that bash can read', { skip: !hasBash }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'feria-blocks-'))
  try {
    for (const block of commands.filter(isShell)) {
      // bash begins each error with the name of the file.
      writeFileSync(join(folder, placeOf(block).replaceAll(/[/:]/g, '+')), `${block.text}\n`)
    }
    // Starting a process from one as large as this is what takes time: this one starts one.
    const readAll = 'for file in *; do bash -n "$file"; done'
    const { stderr } = spawnSync('bash', ['-c', readAll], { cwd: folder, encoding: 'utf8' })
    assert.equal(stderr, '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('every script and benchmark that a page calls is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const benchmarks = readFileSync(join(root, 'bench/run.ts'), 'utf8')
  for (const block of commands.filter(isShell)) {
    for (const line of linesOf(block)) {
      for (const [, name = ''] of line.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
        assert.ok(Object.hasOwn(scripts, name), `${placeOf(block)}: npm run ${name}`)
      }
      for (const [, name = ''] of line.matchAll(/npm run bench -- ([\w-]+)/g)) {
        const isKnown = name === 'all' || RegExp(`^ +'?${name}'?: `, 'm').test(benchmarks)
        assert.ok(isKnown, `${placeOf(block)}: bench ${name}`)
      }
      for (const [, name = ''] of line.matchAll(/node (?:--\S+ )*([\w/-]+\.(?:ts|js))\b/g)) {
        const isSaved = blocks.some(({ page, file }) => page === block.page && file === name)
        assert.ok(isSaved || existsSync(join(root, name)), `${placeOf(block)}: ${name}`)
      }
    }
  }
})

test('every call of feria names a command and options that there are', () => {
  let count = 0
  for (const block of [...commands, ...blocksOfPage(commandReference)].filter(isShell)) {
    for (const line of linesOf(block)) {
      for (const call of feriaCallsOf(line)) {
        count++
        assert.doesNotThrow(
          () => {
            try {
              const resolved = resolveCommand(table, call)
              if (resolved.kind === 'command') parse(resolved.command, resolved.args)
            } catch (error) {
              // Values that the shell fills in are not there yet.
              const isUnfilled = call.some((word) => /[$<…]/.test(word))
              if (
                !(error instanceof UsageFailure && isUnfilled && /expected/.test(error.message))
              ) {
                throw error
              }
            }
          },
          `${placeOf(block)}: feria ${call.join(' ')}`,
        )
      }
    }
  }
  assert.ok(count > 0)
})

/** Returns the words of each call of `feria` in a line. */
function feriaCallsOf(line: string): string[][] {
  const start =
    /(?:^|[;&|(] *|(?:[A-Z_]+=\S+ )+|\bexec )(?:npx |npm run (?:--silent )?)?feria(?: --)? /g
  return [...line.matchAll(start)].map((match) => {
    const rest = line.slice(match.index + match[0].length)
    const words = rest.match(/(?:"[^"]*"|'[^']*'|[^\s"'|;&>)])+|[|;&>)]/g) ?? []
    const end = words.findIndex((word) => /^[|;&>)]$/.test(word))
    return (end < 0 ? words : words.slice(0, end))
      .map((word) => word.replaceAll(/["']/g, ''))
      .filter((word) => word !== '--help' && word !== '2')
  })
}

test('a request that a page shows is sent as it says', () => {
  assert.equal(requestScript('GET /orders/$ORDER'), 'curl -X GET -H "$S" "$A/orders/$ORDER"')
  assert.equal(
    requestScript('POST /operator/clock\nX-A: 1\n\n{"advance":"12h"}'),
    [
      'curl -X POST -H "X-A: 1" -H "$O" -H "Content-Type: application/json" --data-binary @- "$A/operator/clock" <<END_OF_BODY',
      '{"advance":"12h"}',
      'END_OF_BODY',
    ].join('\n'),
  )
})
