import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NameMap, NameTrie } from './name-trie.ts'
import { TitleReader } from './words.ts'

/** What of `runs` a title calls, the longest first. */
function namesCalledIn<T>(
  title: string,
  { calls, runs }: { calls: NameTrie; runs: NameMap<T> },
): T[] {
  const matches = calls
    .matchesIn(new TitleReader().read(title).tokens)
    .map((call) => runs.get(call))
  return matches.filter((name) => name !== undefined)
}

const calls = new NameTrie()
const phones = new NameMap<string>(calls)
for (const name of ['Galaxy', 'Galaxy S23', 'Galaxy S23+', 'Moto G', 'Black+Decker', 'A', '500']) {
  phones.add(name, name)
}

const cases: [title: string, told: string[]][] = [
  ['celular GALAXY s23 nuevo', ['Galaxy S23', 'Galaxy']],
  ['galaxy s23+ 256gb', ['Galaxy S23+', 'Galaxy']],
  ['s23 galaxy', ['Galaxy']],
  ['moto 500 a', []],
  ['moto g, galaxy', ['Moto G', 'Galaxy']],
  ['taladro black decker', ['Black+Decker']],
  ['taladro BLACK+DECKER', ['Black+Decker']],
  ['', []],
]
for (const [title, expected] of cases) {
  test(`“${title}” calls ${expected.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(namesCalledIn(title, { calls, runs: phones }), expected))
}

test('what is called the same by several is each one’s own; the first that one of them says stays', () => {
  const cars = new NameMap<string>(calls)
  assert.equal(cars.add('galaxy', 'Ford Galaxy'), 'Ford Galaxy')
  assert.equal(cars.add('GALAXY', 'another'), 'Ford Galaxy')
  assert.deepEqual(namesCalledIn('galaxy', { calls, runs: cars }), ['Ford Galaxy'])
  assert.deepEqual(namesCalledIn('galaxy', { calls, runs: phones }), ['Galaxy'])
})

test('what is called later is found in words that were read before', () => {
  const later = new NameTrie()
  const runs = new NameMap<string>(later)
  const { tokens } = new TitleReader().read('termo stanley acero')
  const matches = () => later.matchesIn(tokens).map((call) => runs.get(call))
  assert.deepEqual(matches(), [])
  runs.add('stanley', 'brand')
  assert.deepEqual(matches(), ['brand'])
  runs.add('termo stanley', 'thing')
  assert.deepEqual(matches(), ['thing', 'brand'])
})

test('words that are known to other calls are not taken for one’s own', () => {
  const [one, other] = [new NameTrie(), new NameTrie()]
  new NameMap<number>(one).add('stanley', 1)
  new NameMap<number>(other).add('termo', 2)
  const { tokens } = new TitleReader().read('termo stanley')
  for (const trie of [one, other, one]) {
    assert.deepEqual(
      trie.matchesIn(tokens).map(({ from, to }) => [from, to]),
      [trie === one ? [1, 2] : [0, 1]],
    )
  }
})
