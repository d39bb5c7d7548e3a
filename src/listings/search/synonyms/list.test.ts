import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SiteId, siteIds, sites } from '../../../kernel/sites.ts'
import { runWithoutPauses } from '../../../kernel/slices.ts'
import { isSamePhrase, Synonyms } from '../words/synonyms.ts'
import { queryWords } from '../words/words.ts'
import {
  groupsOfSite,
  type ListedPhrase,
  parseSynonymList,
  SynonymListError,
  synonymList,
} from './list.ts'

const onSite = (text: string, siteId: SiteId) =>
  groupsOfSite(parseSynonymList(text), siteId).map((group) => group.map((phrase) => phrase.text))

test('a line holds on the sites of its labels, and a word on those in its brackets', () => {
  const list = `
# Dairy
es: manteca (AR UY), mantequilla, margarina (-CL AR)

AR pt: seis, siete`
  assert.deepEqual(onSite(list, 'MLA'), [
    ['manteca', 'mantequilla'],
    ['seis', 'siete'],
  ])
  assert.deepEqual(onSite(list, 'MLU'), [['manteca', 'mantequilla', 'margarina']])
  assert.deepEqual(onSite(list, 'MLC'), [])
  assert.deepEqual(onSite(list, 'MLB'), [['seis', 'siete']])
})

for (const [line, problem] of [
  ['heladera, nevera', /expected labels/],
  ['es:', /expected labels/],
  ['es: heladera', /expected 2 to 20 words/],
  [`es: ${Array.from({ length: 21 }, (_, n) => `palabra${n}`).join(', ')}`, /expected 2 to 20/],
  ['es: heladera, , nevera', /expected a word/],
  ['es: heladera, Heladeras', /“Heladeras” is the same word twice/],
  ['es: heladera, de la', /expected a word that the search uses/],
  ['es: ácido ascórbico, vitamina C', /expected no single letter/],
  ['xx: heladera, nevera', /unknown label: xx/],
  ['es: heladera, nevera (XX)', /unknown label: XX/],
  ['es: heladera, nevera (BR)', /BR is not in the label/],
  ['es: heladera, nevera (AR', /expected a word/],
] as const) {
  test(`the line “${line.slice(0, 40)}” is refused with its number`, () => {
    assert.throws(
      () => parseSynonymList(`# Comment\n\nes: seis, siete\n${line}`),
      (error: unknown) => {
        assert.ok(error instanceof SynonymListError)
        assert.match(error.message, /^catalog\/words\/synonyms.txt, line 4: /)
        assert.match(error.message, problem)
        return true
      },
    )
  })
}

test('a word of the list is in two groups of a site only with an asterisk, and not without a reason', () => {
  const wrong = new Set<string>()
  const shared = new Set<ListedPhrase>()
  for (const siteId of siteIds) {
    const byKey = Map.groupBy(groupsOfSite(synonymList(), siteId).flat(), ({ key }) => key)
    for (const phrases of byKey.values()) {
      for (const phrase of phrases) {
        const again = phrases.filter((other) => other !== phrase && isSamePhrase(phrase, other))
        if (again.length === 0) continue
        shared.add(phrase)
        if (!phrase.isShared) wrong.add(`${siteId}: ${phrase.text}`)
      }
    }
  }
  assert.deepEqual([...wrong], [])
  const starred = synonymList().flatMap(({ phrases }) => phrases.filter(({ isShared }) => isShared))
  assert.deepEqual(
    starred.filter((phrase) => !shared.has(phrase)).map(({ text }) => text),
    [],
    'asterisks that mark nothing',
  )
})

test('no group of the list is one word in several spellings that the search takes for one', () => {
  const idle = siteIds.flatMap((siteId) =>
    groupsOfSite(synonymList(), siteId)
      .filter((group) => new Set(group.map(({ key }) => key)).size < 2)
      .map((group) => `${siteId}: ${group.map(({ text }) => text).join(', ')}`),
  )
  assert.deepEqual(idle, [])
})

test('the list has at least 700 groups in Spanish and 450 in Portuguese', () => {
  assert.ok(groupsOfSite(synonymList(), 'MLA').length >= 700)
  assert.ok(groupsOfSite(synonymList(), 'MLM').length >= 700)
  assert.ok(groupsOfSite(synonymList(), 'MLB').length >= 450)
})

test('every group of the list is one on some site', () => {
  const lonely = synonymList().filter(({ phrases }) =>
    siteIds.every((siteId) => phrases.filter(({ sites: of }) => of.has(siteId)).length < 2),
  )
  assert.deepEqual(
    lonely.map(({ line }) => line),
    [],
  )
})

/** What a word means differs from country to country. */
const meanings: [site: SiteId, word: string, has: string[], hasNot?: string[]][] = [
  ['MLA', 'manteca', ['mantequilla']],
  ['MLM', 'manteca', [], ['mantequilla']],
  ['MLA', 'palta', ['aguacate']],
  ['MLM', 'aguacate', ['palta']],
  ['MLA', 'heladera', ['nevera']],
  ['MLB', 'mandioca', ['aipim']],
  ['MLB', 'geladeira', ['refrigerador'], ['frigorífico']],
  ['MLA', 'remera', ['camiseta'], ['playera']],
  ['MLM', 'playera', ['camiseta'], ['remera']],
  ['MLC', 'polera', ['camiseta']],
  ['MLA', 'polera', [], ['camiseta']],
  ['MLA', 'cartera', ['bolso de mano'], ['billetera']],
  ['MLM', 'cartera', ['billetera'], ['bolso de mano']],
  ['MLC', 'bencina', ['nafta']],
  ['MLM', 'tenis', ['sneakers']],
  ['MLA', 'tenis', [], ['sneakers']],
  ['MLA', 'lapicera', ['bolígrafo']],
  ['MLM', 'pluma', ['bolígrafo']],
  ['MLA', 'pluma', [], ['bolígrafo']],
  ['MLA', 'pava', ['hervidor'], ['tetera']],
  ['MLC', 'tetera', ['hervidor']],
  ['MLA', 'pavo', [], ['hervidor']],
  ['MLM', 'foco', ['bombilla']],
  ['MLA', 'foco', [], ['lamparita']],
  // Words of queries only.
  ['MLA', 'piña', ['ananá']],
  ['MLA', 'ananá', [], ['piña']],
  ['MLA', 'tele', ['televisor']],
  ['MLA', 'tela', [], ['televisor']],
]
for (const [siteId, word, has, hasNot = []] of meanings) {
  const expected = [...has, ...hasNot.map((other) => `not ${other}`)].join(', ')
  test(`“${word}” in ${sites[siteId].name}: ${expected}`, () => {
    const groups = groupsOfSite(synonymList(), siteId)
    const synonyms = runWithoutPauses(Synonyms.build({ groups }))
    const texts = synonyms.alternativesAt(queryWords(word), 0).flatMap((match) => match.texts)
    for (const other of has) assert.ok(texts.includes(other), `${other} in ${texts.join(', ')}`)
    for (const other of hasNot) assert.ok(!texts.includes(other), `${other} in ${texts.join(', ')}`)
  })
}
