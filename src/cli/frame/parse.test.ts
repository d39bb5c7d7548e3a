import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command } from './command.ts'
import { UsageFailure } from './failure.ts'
import { parse } from './parse.ts'

const fly = command({
  name: 'fly',
  section: 'Tests',
  summary: 'Fly.',
  words: {
    to: { kind: 'text', as: 'TO', says: 'Where.' },
    seats: { kind: 'count', to: 9, says: 'How many.', optional: true },
  },
  options: {
    class: { kind: 'choice', of: ['first', 'last'], says: 'Which.', required: true },
    meals: { kind: 'choices', of: ['fish', 'figs'], says: 'Which.' },
    at: { kind: 'moment', says: 'When.' },
    by: { kind: 'address', says: 'By what.' },
    odds: { kind: 'share', says: 'Of arriving.' },
    delay: { kind: 'count', from: 0, to: 5, says: 'Hours.' },
    log: { kind: 'file', says: 'Where to.' },
    quick: { kind: 'flag', says: 'Quickly.' },
  },
  load: async () => async () => undefined,
})
const read = (...args: string[]) => parse(fly, ['rome', '--class', 'first', ...args])

test('words and options are read in any order, each as what it is', () => {
  assert.deepEqual(
    parse(fly, ['--quick', 'rome', '--class=last', '--delay', '0', '3', '--meals', 'figs, fish']),
    { quick: true, to: 'rome', class: 'last', delay: 0, seats: 3, meals: ['figs', 'fish'] },
  )
  assert.deepEqual(read('--at', '2026-01-31T13:45:00+01:00'), {
    to: 'rome',
    class: 'first',
    at: '2026-01-31T12:45:00.000Z',
  })
  assert.equal(read('--odds', '0.25')['odds'], 0.25)
  assert.equal(read('--by', 'https://a.example/b')['by'], 'https://a.example/b')
  assert.equal(parse(fly, ['--class', 'first', '--', '--rome'])['to'], '--rome', 'behind --')
  assert.equal(parse(fly, ['--class', 'first', '-'])['to'], '-', 'standard input')
})

test('what is wrong is named, with what was expected and how to call it', () => {
  const cases: [args: string[], says: RegExp][] = [
    [[], /^TO is missing\.\nRun: feria fly TO \[N\] --class first\|last \[--meals fish,figs\]/],
    [['rome'], /^--class is missing/],
    [['rome', '3', 'x', '--class', 'first'], /^"x" is one word too many/],
    [['rome', '10', '--class', 'first'], /^seats: expected a whole number from 1 to 9, got "10"/],
    [
      ['rome', '--class', 'frist'],
      /expected one of first, last, got "frist"\. Did you mean "first"/,
    ],
    [['rome', '--class'], /^--class: expected one of/],
    [['rome', '--class', '--quick'], /^--class: expected one of/],
    [['rome', '--class', 'last', '--class', 'last'], /^--class: given twice/],
    [['rome', '--clas', 'last'], /^Unknown option "--clas"\. Did you mean "--class"/],
    [['rome', '-x'], /^Unknown option "-x"/],
    [['rome', '--quick=no'], /^--quick: takes no value, got "no"/],
    [['rome', '--meals', 'fish,fags'], /^--meals: expected some of fish,figs, got "fish,fags"/],
    [['rome', '--meals', ''], /^--meals: expected some of/],
    [['rome', '--at', 'noon'], /^--at: expected a timestamp such as 2026-/],
    [['rome', '--at', '2026-02-30T00:00:00Z'], /^--at: expected a timestamp/],
    [['rome', '--by', 'ftp://a'], /^--by: expected an http\(s\) address/],
    [['rome', '--by', 'http:///a'], /^--by: expected an http\(s\) address/],
    [['rome', '--odds', '1.1'], /^--odds: expected a number from 0 to 1/],
    [['rome', '--odds', '-1'], /^--odds: expected a number from 0 to 1/],
    [['rome', '--delay', '1.5'], /^--delay: expected a whole number from 0 to 5/],
    [['rome', '--delay', '99999999999999999999'], /^--delay: expected a whole number/],
    [['rome', '--log', ''], /^--log: expected the name of a file/],
    [['rome', '--__proto__', 'x'], /^Unknown option "--__proto__"/],
    [['rome', '--constructor'], /^Unknown option "--constructor"/],
  ]
  for (const [args, says] of cases) {
    assert.throws(
      () => parse(fly, args),
      (error) => error instanceof UsageFailure && says.test(error.message),
      args.join(' '),
    )
  }
})

test('help is given whatever else is missing', () => {
  assert.equal(parse(fly, ['--help'])['help'], true)
  assert.equal(parse(fly, ['rome', '-h'])['help'], true)
})
