import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignColumns, Output } from './output.ts'

function open(of: { isJson?: boolean; isTTY?: boolean; env?: Record<string, string> }) {
  const [stdout, stderr]: string[][] = [[], []]
  const sink = (into: string[] = []) => ({
    write: (text: string) => into.push(text),
    isTTY: of.isTTY ?? false,
  })
  const streams = { stdout: sink(stdout), stderr: sink(stderr) }
  const out = new Output(streams, { isJson: of.isJson ?? false, env: of.env ?? {} })
  return { out, stdout, stderr }
}

test('with --json standard output has JSON alone, one value a line; words go to standard error', () => {
  const { out, stdout, stderr } = open({ isJson: true })
  out.print('working')
  out.printResult({ done: 1 }, () => 'done')
  out.printNote('mind this')
  assert.deepEqual(stdout, ['{"done":1}\n'])
  assert.deepEqual(stderr, ['working\n', 'mind this\n'])
})

test('without it words are the result, and what is to be minded goes to standard error', () => {
  const { out, stdout, stderr } = open({})
  out.print('working')
  out.printResult({ done: 1 }, () => ['done', 'all'])
  out.printNote('mind this')
  assert.deepEqual(stdout, ['working\n', 'done\n', 'all\n'])
  assert.deepEqual(stderr, ['mind this\n'])
})

test('colours are for terminals that may show them', () => {
  assert.ok(open({ isTTY: true }).out.paint('red', 'x').startsWith('\u001b[31mx'))
  for (const of of [
    { isTTY: false },
    { isTTY: true, env: { NO_COLOR: '1' } },
    { isTTY: true, env: { TERM: 'dumb' } },
  ]) {
    assert.equal(open(of).out.paint('red', 'x'), 'x')
  }
})

test('columns stand below each other, whatever letters they have', () => {
  assert.deepEqual(
    alignColumns([
      ['a', 'b', 'c'],
      ['ñandú', '𝒳', ''],
      ['', 'bb', 'd'],
    ]),
    ['a      b   c', 'ñandú  𝒳', '       bb  d'],
  )
})
