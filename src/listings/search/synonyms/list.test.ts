import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteIds, sites } from '../../../kernel/sites.ts'
import { runWithoutPauses } from '../../../kernel/slices.ts'
import { Synonyms } from '../words/synonyms.ts'
import { queryWords } from '../words/words.ts'
import { groupsOfSite, parseSynonymList, SynonymListError, synonymList } from './list.ts'

const onSite = (text: string, siteId: (typeof siteIds)[number]) =>
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
  const needed = new Set<string>()
  for (const siteId of siteIds) {
    const groups = synonymList().map((group) => ({
      line: group.line,
      phrases: group.phrases.filter(({ sites: of }) => of.has(siteId)),
    }))
    const lines = new Map<string, { line: number; isShared: boolean }[]>()
    for (const { line, phrases } of groups) {
      if (phrases.length < 2) continue
      for (const { key, isShared } of phrases) {
        lines.set(key, [...(lines.get(key) ?? []), { line, isShared }])
      }
    }
    for (const [key, of] of lines) {
      if (of.length < 2) continue
      if (of.some(({ isShared }) => !isShared)) {
        wrong.add(`${key}: lines ${of.map(({ line }) => line).join(', ')}`)
      }
      for (const { line } of of) needed.add(`${key} ${line}`)
    }
  }
  assert.deepEqual([...wrong], [])
  const starred = synonymList().flatMap(({ line, phrases }) =>
    phrases.filter(({ isShared }) => isShared).map(({ key }) => `${key} ${line}`),
  )
  assert.deepEqual(
    starred.filter((word) => !needed.has(word)),
    [],
    'asterisks that mark nothing',
  )
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
const meanings: [site: (typeof siteIds)[number], word: string, has: string, hasNot?: string][] = [
  ['MLA', 'manteca', 'mantequilla'],
  ['MLA', 'palta', 'aguacate'],
  ['MLM', 'aguacate', 'palta'],
  ['MLA', 'heladera', 'nevera'],
  ['MLB', 'mandioca', 'aipim'],
]
for (const [siteId, word, has, hasNot] of meanings) {
  const { name } = sites[siteId]
  test(`“${word}” in ${name} is “${has}”${hasNot ? `, not “${hasNot}”` : ''}`, () => {
    const groups = groupsOfSite(synonymList(), siteId)
    const synonyms = runWithoutPauses(Synonyms.build({ groups }))
    const texts = synonyms.alternativesAt(queryWords(word), 0).flatMap((match) => match.texts)
    assert.ok(texts.includes(has), texts.join(', '))
    if (hasNot) assert.ok(!texts.includes(hasNot), texts.join(', '))
  })
}

test('“manteca” in Mexico is lard, and has no synonym of butter', () => {
  const groups = groupsOfSite(synonymList(), 'MLM')
  const synonyms = runWithoutPauses(Synonyms.build({ groups }))
  const texts = synonyms.alternativesAt(queryWords('manteca'), 0).flatMap((match) => match.texts)
  assert.ok(!texts.includes('mantequilla'))
})
