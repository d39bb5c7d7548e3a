import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contract } from '../../../../test/harness/contract.ts'
import { parsePhrase, phraseProblem, Synonyms } from './synonyms.ts'
import { queryWords } from './words.ts'

const synonyms = Synonyms.of([
  ['heladera', 'nevera', 'refrigerador'],
  ['pasta de dientes', 'dentífrico', 'crema dental'],
  ['crema', 'nata'],
  ['pava', 'hervidor'],
  ['tele', 'tv', 'televisor'],
  ['caminhão', 'carreta'],
  ['gas', 'gas natural'],
  ['celular', 'móvil'],
  ['móvil', 'smartphone'],
  ['pava eléctrica', 'hervidor'],
])

/** Returns the synonyms at each word of a query, as `length: synonym, synonym`. */
function lookUp(text: string, of = synonyms): string[] {
  const words = queryWords(text)
  return words.flatMap((_, at) =>
    of.alternativesAt(words, at).map(({ length, texts }) => `${length}: ${texts.join(', ')}`),
  )
}

const cases: [query: string, ...expected: string[]][] = [
  ['heladera', '1: nevera, refrigerador'],
  ['HELADERAS no frost', '1: nevera, refrigerador'],
  ['refrigeradora', '1: heladera, nevera'],
  ['mesa'],
  ['helad'],
  ['pasta de dientes', '2: dentífrico, crema dental'],
  ['pasta dientes niños', '2: dentífrico, crema dental'],
  ['dientes pasta'],
  ['pasta'],
  // The longest phrase first, then its beginning.
  ['crema dental', '2: pasta de dientes, dentífrico', '1: nata'],
  ['pava eléctrica', '2: hervidor', '1: hervidor'],
  // One stem, another word.
  ['pavo'],
  ['tela'],
  ['gasa'],
  ['gases', '1: gas natural'],
  ['tele 32', '1: tv, televisor'],
  ['caminhões', '1: carreta'],
  // A word of two groups has both; its synonyms do not meet.
  ['móvil', '1: celular, smartphone'],
  ['celular', '1: móvil'],
  ['hervidor', '1: pava, pava eléctrica'],
  ['', ...[]],
]
for (const [query, ...expected] of cases) {
  contract('4.4', `synonyms of “${query}”`, () => assert.deepEqual(lookUp(query), expected))
}

test('synonyms are stems, as titles have them', () => {
  const [match] = synonyms.alternativesAt(queryWords('dentífrico'), 0)
  assert.deepEqual(match?.alternatives, [
    ['past', 'dient'],
    ['crem', 'dental'],
  ])
})

test('a corrected word, of which only the stem is known, fits every ending', () => {
  const [match] = synonyms.alternativesAt([{ stem: 'pav' }], 0)
  assert.deepEqual(match?.texts, ['hervidor'])
  assert.deepEqual(synonyms.alternativesAt([{ stem: 'pav' }], 1), [])
})

test('a removed pair is none in either direction, whichever groups have it', () => {
  const removed = Synonyms.of(
    [
      ['heladera', 'nevera', 'refrigerador'],
      ['nevera', 'heladeras'],
    ],
    [['Neveras', 'heladera']],
  )
  assert.deepEqual(lookUp('heladera', removed), ['1: refrigerador'])
  assert.deepEqual(lookUp('nevera', removed), ['1: refrigerador'])
  assert.deepEqual(lookUp('refrigerador', removed), ['1: heladera, nevera'])
})

test('a word has at most 40 synonyms, those of the first groups', () => {
  const letters = [...'bcdfghjklmnp']
  const words = letters.flatMap((one) => letters.map((other) => `pieza${one}${other}`))
  const groups = words.map((word) => ['tornillo', word])
  const texts = Synonyms.of(groups).alternativesAt(queryWords('tornillo'), 0)[0]?.texts
  assert.deepEqual(texts, words.slice(0, 40))
})

test('every word of a group finds the others, in any query', () => {
  const word = fc.string({ unit: fc.constantFrom(...'bdfgklmnprt'), minLength: 4, maxLength: 9 })
  const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const group = fc.uniqueArray(phrase, {
    selector: (text) => parsePhrase(text).key,
    minLength: 2,
    maxLength: 5,
  })
  fc.assert(
    fc.property(group, word, (texts, other) => {
      const of = Synonyms.of([texts])
      for (const text of texts) {
        const words = queryWords(`${text} ${other}`)
        const length = parsePhrase(text).stems.length
        const match = of.alternativesAt(words, 0).find((each) => each.length === length)
        const expected = texts.filter((each) => each !== text)
        assert.deepEqual([...(match?.texts ?? [])].sort(), expected.sort())
      }
    }),
    { numRuns: 200 },
  )
})

const problems: [text: string, problem: RegExp | undefined][] = [
  ['heladera', undefined],
  ['pasta de dientes', undefined],
  ['olla a presión', undefined],
  ['tv', undefined],
  ['ñandú', undefined],
  ['4x4', undefined],
  ['', /^a word$/],
  ['!?', /^a word$/],
  ['de la', /^a word that the search uses/],
  ['oferta', /^a word that the search uses/],
  ['x', /^a word that the search uses/],
  ['vitamina C', /^no single letter/],
  ['azúcar sin', /^a word after “sin”/],
  ['Sin azúcar', undefined],
  ['sem glúten', undefined],
  ['esmalte de uñas', undefined],
  ['blusa de lã', undefined],
  ['primero segundo tercero cuarto quinto', /^at most 4 words$/],
  ['a'.repeat(41), /^words of at most 40 characters$/],
  ['a'.repeat(40), undefined],
]
for (const [text, problem] of problems) {
  test(`the phrase “${text}” ${problem ? 'is refused' : 'can be a synonym'}`, () => {
    if (problem) assert.match(phraseProblem(text) ?? 'none', problem)
    else assert.equal(phraseProblem(text), undefined)
  })
}

test('many groups are built and looked up fast', () => {
  const groups = Array.from({ length: 5_000 }, (_, n) =>
    Array.from({ length: 20 }, (_, at) => `pieza comun ${at % 2 === 0 ? n : n % 7} tipo${at}`),
  )
  const of = Synonyms.of([...groups, ['tornillo', 'perno']])
  const words = queryWords('pieza comun tipo tornillo pieza comun grande')
  const before = process.cpuUsage()
  for (let run = 0; run < 1_000; run++) {
    for (let at = 0; at < words.length; at++) of.alternativesAt(words, at)
  }
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 1_000_000, `${user + system} µs for 1,000 queries`)
})
