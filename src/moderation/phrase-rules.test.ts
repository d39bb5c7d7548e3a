import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ListFile, listFile, listFolder } from './lists/list-files.ts'
import { readWordTables } from './lists/word-tables.ts'
import { parsePhraseRules, readPhraseRules } from './phrase-rules.ts'
import { PhraseMatcher } from './phrases.ts'
import type { Writer } from './reason.ts'
import { normalizeText } from './text/normalize.ts'

const folder = mkdtempSync(join(tmpdir(), 'feria-lists-'))
after(() => rmSync(folder, { recursive: true }))
const listNames = readdirSync(listFolder)

/** Returns how many phrases of some files a text has. */
function counter(...files: ListFile[]) {
  const phrases = new PhraseMatcher(parsePhraseRules('EVASION_CLAIM_SELLER', files))
  return (text: string, siteId: 'MLA' | 'MLB' = 'MLA', writer: Writer = 'seller') =>
    phrases.find(normalizeText(text).words, { siteId, writer }).size
}

/** Reads the lists as the program does, with one file changed. */
function readChanged(file: string, change: (text: string) => string): void {
  cpSync(listFolder, folder, { recursive: true })
  const isNew = !listNames.includes(file)
  writeFileSync(
    join(folder, file),
    change(isNew ? '' : readFileSync(join(listFolder, file), 'utf8')),
  )
  try {
    readWordTables(folder)
    readPhraseRules(folder)
  } finally {
    if (isNew) rmSync(join(folder, file))
  }
}

test('an exception lifts what it covers, and a rule holds for its writer and sites only', () => {
  const list = `
<claim> = reclamo|
  queja
[claim.one seller MLA]
cerr* el <claim>
- no cerr*
  el <claim>`
  const find = counter(listFile('claims.es.txt', list))
  assert.equal(find('cerrá el reclamo'), 1)
  assert.equal(find('no cerrés el reclamo'), 0)
  assert.equal(find('no cerrés el reclamo. Cerrá el reclamo'), 1)
  assert.equal(find('cerrá el reclamo', 'MLA', 'buyer'), 0)
  assert.equal(find('cerrá el reclamo', 'MLB'), 0)
})

test('an exception before the first rule is one of every rule of its list', () => {
  const list = '- no pago|por+\n[claim.one]\npago\n- pago ya\n[claim.two]\npor fuera'
  const find = counter(listFile('claims.txt', list))
  assert.deepEqual(
    ['pago', 'no pago', 'pago ya'].map((text) => find(text)),
    [1, 0, 0],
  )
  assert.deepEqual(
    ['por fuera', 'no por fuera'].map((text) => find(text)),
    [1, 1],
  )
})

test('a rule in several files is one rule: each exception holds for the phrases of all', () => {
  const find = counter(
    listFile(
      'claims.es.txt',
      '- nunca <close>\n[claim.one seller]\n<close> reclamo\n<close> = cierre',
    ),
    listFile('claims.es-CL.txt', '<close> = cierra\n[claim.one seller]\nborra reclamo'),
    listFile('claims.pt.txt', '[claim.one seller]\nfeche reclamo\n- nao borra reclamo'),
  )
  assert.equal(find('borra reclamo'), 1)
  assert.equal(find('nao borra reclamo'), 0, 'an exception of another file')
  assert.equal(find('cierra reclamo'), 1, 'a name has the words of all files of its language')
  assert.equal(find('nunca cierra reclamo'), 1, 'an exception has to cover the whole phrase')
  assert.equal(find('feche reclamo'), 1)
})

test('a name of one language does not reach another; a name of none reaches all', () => {
  const es = listFile('claims.es.txt', '<close> = cierre\n[claim.one]\n<close> <it>')
  const none = listFile('claims.txt', '<it> = reclamo')
  assert.equal(counter(none, es)('cierre reclamo'), 1)
  const pt = listFile('claims.pt.txt', '[claim.one]\n<close> <it>')
  assert.throws(() => counter(none, es, pt), /claims\.pt\.txt, line 2: unknown name: <close>/)
})

test('each mistake in a list is reported with its file and line', () => {
  const cases: [file: string, change: (text: string) => string, says: RegExp][] = [
    ['claims.es.txt', (text) => `${text}cierra <nada>`, /unknown name: <nada>$/],
    ['claims.es.txt', (text) => `${text}ab* reclamo`, /three letters before the \*: ab\*$/],
    ['claims.es.txt', (text) => `${text}cierra? reclamo`, /a first word .*: cierra\? reclamo$/],
    ['claims.es.txt', (text) => `${text}cierra|| reclamo`, /an alternative is empty: cierra\|\|$/],
    ['claims.es.txt', (text) => `${text}[Claim close]`, /the id of a rule: \[claim close\]$/],
    ['claims.es.txt', (text) => `${text}[claim.close]`, /another writer or other sites/],
    ['claims.es.txt', (text) => `${text}[claim.x sellr]`, /seller, buyer or a site: sellr$/],
    ['claims.es.txt', (text) => `${text}<det> = un`, /<det> is in this file twice$/],
    ['claims.es-UY.txt', () => 'cierra reclamo', /a phrase before the first rule: cierra reclamo$/],
    ['numerals.es.txt', (text) => `${text}veinte`, /a word and what it is read as: veinte$/],
    ['numbers.es.txt', (text) => `${text}[fax]`, /a section of code, phone/],
    ['numbers.es-UY.txt', () => 'cedula', /words before the first section: cedula$/],
    ['numbers.es-UY.txt', () => '[bank]\ncedula', /cedula is in \[bank\], too$/],
    ['claim.es.txt', () => '', /one of claims, .* as the name$/],
  ]
  for (const [file, change, says] of cases) {
    assert.throws(
      () => readChanged(file, change),
      (error: Error) => {
        assert.match(error.message, says)
        assert.match(error.message, /^moderation\/lists\/[a-zA-Z.-]+\.txt, line \d+: [^\n]+$/)
        return true
      },
      `${file}: ${says}`,
    )
  }
  const lines = readFileSync(join(listFolder, 'claims.es.txt'), 'utf8').split('\n').length
  assert.throws(() => readChanged('claims.es.txt', (text) => `${text}cierra\n  <nada>`), {
    message: `moderation/lists/claims.es.txt, line ${lines}: unknown name: <nada>`,
  })
})

for (const file of listNames) {
  test(`moderation/lists/${file}: each group has a comment, no line is longer than 100 characters`, () => {
    const text = readFileSync(join(listFolder, file), 'utf8')
    assert.ok(text.startsWith('# '), 'the first line says what the list holds')
    for (const block of text.trimEnd().split('\n\n')) {
      const first = block.split('\n').find((line) => !line.startsWith('['))
      if (first === undefined) continue
      assert.match(first, /^# /, `what does this group catch, and what not?\n${block}`)
    }
    for (const line of text.split('\n')) assert.ok(line.length <= 100 || line.includes('['), line)
  })
}

test('the rules keep their ids: messages that were held back are stored with them', () => {
  const rules = readPhraseRules(listFolder)
  assert.deepEqual(
    rules.map(({ reason, rule, writer, sites }) => [reason, rule, writer, sites.join()].join(' ')),
    [
      'OUT_OF_PLACE_LANGUAGE language.vulgar  ',
      'OUT_OF_PLACE_LANGUAGE language.insult  ',
      'OUT_OF_PLACE_LANGUAGE language.threat  ',
      'OUT_OF_PLACE_LANGUAGE language.sexual  ',
      'OUT_OF_PLACE_LANGUAGE language.insult-mx  MLM',
      'EVASION_CLAIM_SELLER claim.open seller ',
      'EVASION_CLAIM_SELLER claim.close seller ',
      'EVASION_CLAIM_SELLER claim.lift seller MLA,MLU,MPY',
      'PLATFORM_LINKS_EXTERNALPAY pay.transfer  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.deposit  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.wallet  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.outside  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.cash  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.courier  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.elsewhere  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.instead  ',
      'PLATFORM_LINKS_EXTERNALPAY pay.outside-seller seller ',
      'PERSONAL_DATA contact.address seller ',
      'PERSONAL_DATA contact.mailbox  ',
      'SOCIAL_NETWORK_LINK network.invite  ',
      'SOCIAL_NETWORK_LINK network.domain  ',
      'SOCIAL_NETWORK_LINK network.ask  ',
    ],
  )
  for (const { rule, patterns } of rules) assert.ok(patterns.length > 0, rule)
})
