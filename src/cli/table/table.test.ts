import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usageOf } from '../frame/command.ts'
import { UsageFailure } from '../frame/failure.ts'
import { helpOf, overview } from '../frame/help.ts'
import { nextWords, resolveCommand } from '../frame/table.ts'
import { table } from './table.ts'

const { commands, sections } = table

test('every command has a name of its own, a heading, and words and options that do not collide', () => {
  const names = commands.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const { name, section, summary, words, options } of commands) {
    assert.match(name, /^[a-z]+( [a-z]+(-[a-z]+)*)?$/)
    assert.ok(sections.includes(section), name)
    assert.match(summary, /^[A-Z].*\.$/, name)
    for (const word of Object.keys(words)) assert.ok(!(word in options), `${name}: ${word}`)
    for (const [option, { says }] of Object.entries(options)) {
      assert.match(option, /^[a-z]+(-[a-z]+)*$/, name)
      assert.ok(!['help', 'json'].includes(option), `${name}: every command has --${option}`)
      assert.match(says, /^[A-Z`].*\.$/, `${name} --${option}`)
    }
    // What may be left out stands behind what may not.
    const isOptional = Object.values(words).map((word) => word.optional === true)
    assert.deepEqual(isOptional, isOptional.toSorted(), name)
  }
  for (const section of sections) assert.ok(commands.some((command) => command.section === section))
  // No command is the first word of others: who types it could mean either.
  for (const name of names) assert.ok(!names.some((other) => other.startsWith(`${name} `)), name)
})

test('every command has a handler, and a help that fits a terminal', async () => {
  for (const command of commands) {
    assert.equal(typeof (await command.load()), 'function', command.name)
    const lines = helpOf(command)
    assert.equal(lines[0], `feria ${command.name}: ${command.summary}`)
    const options = lines.slice(lines.indexOf('Options'))
    for (const option of Object.keys(command.options)) {
      assert.ok(
        options.some((line) => line.startsWith(`  --${option}`)),
        `${command.name} ${option}`,
      )
    }
    const long = lines.filter(
      (line) => line.length > 100 && !command.examples.includes(line.trim()),
    )
    assert.deepEqual(long, [], command.name)
    for (const example of command.examples) assert.match(example, /\bferia [a-z]/)
  }
})

test('the help lists every command under its heading', () => {
  const lines = overview(table)
  for (const { name, summary } of commands) {
    assert.ok(
      lines.some((line) => line.startsWith(`  ${name} `) && line.includes(summary.slice(0, 20))),
      name,
    )
  }
  for (const section of sections) assert.ok(lines.includes(section))
  assert.ok(lines.every((line) => line.length <= 100))
})

test('a command is found by its words, and what is none is answered with the likeliest', () => {
  const named = (line: string) => {
    const resolved = resolveCommand(table, line.split(' '))
    return resolved.kind === 'command'
      ? [resolved.command.name, ...resolved.args]
      : [resolved.group, '…']
  }
  assert.deepEqual(named('start --workers 2'), ['start', '--workers', '2'])
  assert.deepEqual(named('replay start --watch'), ['replay start', '--watch'])
  assert.deepEqual(named('replay'), ['replay', '…'])
  assert.deepEqual(named('replay --help'), ['replay', '…'])
  const cases: [line: string, says: RegExp][] = [
    ['dance', /^There is no command "dance"\.\nRun: feria help$/],
    ['strat', /Did you mean "start"\?/],
    [
      'replay strat',
      /no command "replay strat"\. Did you mean "start"\?\nRun: feria replay start\|/,
    ],
    ['delivery list', /Did you mean "deliveries"\?/],
    ['__proto__', /There is no command/],
  ]
  for (const [line, says] of cases) {
    assert.throws(
      () => resolveCommand(table, line.split(' ')),
      (error) => error instanceof UsageFailure && says.test(error.message),
      line,
    )
  }
  assert.deepEqual([...nextWords(table, 'clock').keys()], ['show', 'advance', 'set'])
})

test('the usage of a command is what its words and options say', () => {
  const usage = (name: string) => {
    const command = commands.find((candidate) => candidate.name === name)
    return command && usageOf(command)
  }
  assert.equal(usage('seed'), 'feria seed --orders N [--seed N]')
  assert.equal(
    usage('clock advance'),
    'feria clock advance STEP [--server URL] [--token TOKEN] [--reason TEXT]',
  )
  assert.equal(usage('help'), 'feria help [COMMAND] [PART] [--page]')
})

test('a command is found under its former name, which nothing shows', () => {
  const former = commands.filter(({ formerName }) => formerName !== undefined)
  assert.deepEqual(
    former.map(({ formerName, name }) => [formerName, name]),
    [['deliveries lane', 'deliveries queue']],
  )
  const resolved = resolveCommand(table, ['deliveries', 'lane', '7'])
  assert.deepEqual(resolved, resolveCommand(table, ['deliveries', 'queue', '7']))
  assert.ok(!overview(table).join('\n').includes('deliveries lane'))
  assert.ok(!nextWords(table, 'deliveries').has('lane'))
})
