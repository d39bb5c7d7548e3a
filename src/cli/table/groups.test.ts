import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../frame/run.ts'
import { table } from './table.ts'

/** What a command line prints, and the code that it ends with. */
async function ran(...args: string[]) {
  const printed = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof printed) => ({
    isTTY: false,
    write(text: string) {
      printed[name] += text
      return true
    },
  })
  const code = await run(table, args, {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: {},
    exit: () => assert.fail('nothing was started'),
    onInterrupt: () => {},
  })
  return { code, ...printed }
}

const names = table.commands.map(({ name }) => name.split(' '))
const groups = [...new Set(names.flatMap(([first = '', verb]) => (verb ? [first] : [])))]
const verbsOf = (group: string) =>
  names.flatMap(([first, verb]) => (first === group && verb ? [verb] : []))

test('a group of commands without a verb names its verbs, and ends with 2', async () => {
  assert.ok(groups.includes('users') && groups.includes('applications'))
  for (const group of groups) {
    for (const args of [[group], [group, '--json']]) {
      const { code, stdout, stderr } = await ran(...args)
      assert.equal(code, 2, args.join(' '))
      assert.equal(stdout, '')
      assert.ok(stderr.startsWith(`feria ${group} needs a verb.\n`), stderr)
      for (const verb of verbsOf(group)) assert.ok(stderr.includes(`\n  ${group} ${verb} `), verb)
    }
    const help = await ran(group, '--help')
    assert.equal(help.code, 0)
    assert.doesNotMatch(help.stdout, /needs a verb/)
  }
})

test('an unknown verb is answered with the likeliest one and with all of them, and ends with 2', async () => {
  for (const group of groups) {
    const verbs = verbsOf(group)
    const strange = await ran(group, 'zzzzzzzz')
    assert.equal(strange.code, 2, group)
    assert.equal(
      strange.stderr,
      `There is no command "${group} zzzzzzzz".\nRun: feria ${group} ${verbs.join('|')}\n`,
    )
    for (const verb of verbs) {
      const { code, stderr } = await ran(group, `${verb}q`)
      assert.equal(code, 2)
      assert.ok(stderr.includes(`Did you mean "${verb}"?`), stderr)
    }
  }
})

test('a missing word that is one of a list is answered with the list', async () => {
  const trigger = await ran('trigger')
  assert.equal(trigger.code, 2)
  assert.match(
    trigger.stderr,
    /^TOPIC is missing\. Expected one of items, .*fraud_alert.*, list\.\n/,
  )
  const shell = await ran('completion')
  assert.match(shell.stderr, /is missing\. Expected one of bash, zsh, fish\.\n/)
})
