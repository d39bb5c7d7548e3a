import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DemoFileError, demoFiles, readDemoFiles } from './data.ts'

const folder = mkdtempSync(join(tmpdir(), 'feria-demo-'))
const original = fileURLToPath(new URL('../../../demo/', import.meta.url))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Reads a copy of the data in which one text of a file is replaced. */
function readChanged(file: string, [from, to]: readonly [string | RegExp, string]) {
  cpSync(original, folder, { recursive: true })
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(from, to)
  assert.notEqual(changed, text, `${file} has ${from}`)
  writeFileSync(path, changed)
  return readDemoFiles(folder)
}

test('an entry that a person adds is read: a buyer, a product, a line of a conversation', () => {
  const buyer = '{ "site": "MLU", "nickname": "NUEVA", "first": "Ana", "last": "Paz" }'
  const { users } = readChanged('users.json', [/"buyers": \[/, `"buyers": [${buyer},`])
  assert.equal(users.buyers.length, demoFiles().users.buyers.length + 1)
  const { conversations } = readChanged('conversations.json', [
    /"flex": \[/,
    '"flex": [{ "seller": "Hola." },',
  ])
  assert.equal(conversations.named['flex']?.length, 2)
})

const mistakes: Record<string, [file: string, change: [string | RegExp, string], says: RegExp]> = {
  'a text that is not JSON': ['texts.json', ['{', '{,'], /^demo\/texts\.json: .*JSON/],
  'a key that is misspelled': [
    'products.json',
    ['"dollars"', '"dolars"'],
    /^demo\/products\.json, at products\.0/,
  ],
  'a value of the wrong type': [
    'users.json',
    ['"weight": 26', '"weight": "26"'],
    /^demo\/users\.json, at sellers\.0\.weight: .*number/,
  ],
  'a site that the demo data does not have': [
    'users.json',
    ['"site": "MLA"', '"site": "MPE"'],
    /^demo\/users\.json, at sellers\.0\.site: .*MLA, MLB/,
  ],
  'a step of no kind': [
    'scenarios.json',
    ['{ "pay": "balance" }', '{ "pays": "balance" }'],
    /^demo\/scenarios\.json, at scenarios\.0\.steps\.0/,
  ],
  'a payment method that does not exist': [
    'scenarios.json',
    ['{ "pay": "balance" }', '{ "pay": "shells" }'],
    /^demo\/scenarios\.json, at scenarios\.0\.steps\.0\.pay: .*card, debit/,
  ],
  'an age that is not listed': [
    'scenarios.json',
    ['"age": "new"', '"age": "newer"'],
    /^demo\/scenarios\.json, at scenarios\.0\.age: there is no age "newer"$/,
  ],
  'a cause that is not listed': [
    'scenarios.json',
    ['"cause": "regretted"', '"cause": "bored"'],
    /^demo\/scenarios\.json, at scenarios\.7\.steps\.3: cancellations\.json has no cause "bored"$/,
  ],
  'a conversation of no scenario': [
    'conversations.json',
    ['"flex": [', '"flexible": ['],
    /^demo\/conversations\.json, at named\.flexible: scenarios\.json has no scenario/,
  ],
  'a file that messages cannot attach': [
    'conversations.json',
    ['"plano.png"', '"mapa.png"'],
    /^demo\/conversations\.json, at named\.made to order\.1: there is no file files\/mapa\.png$/,
  ],
  'a name in braces that nobody fills in': [
    'conversations.json',
    ['{billing}', '{biling}'],
    /^demo\/conversations\.json, at named\.paid, main listing\.1: \{biling\} has no value$/,
  ],
  'a color that is not listed': [
    'products.json',
    ['"colors": ["black", "white", "blue"]', '"colors": ["pink"]'],
    /^demo\/products\.json, at products\.1\.colors: there is no color "pink"$/,
  ],
  'a further listing of no product': [
    'listings.json',
    ['"product": "MESA"', '"product": "MEZA"'],
    /^demo\/listings\.json, at further\.0\.product: there is no product "MEZA"$/,
  ],
}
for (const [name, [file, change, says]] of Object.entries(mistakes)) {
  test(`${name} is reported with the file and the place in it`, () => {
    assert.throws(
      () => readChanged(file, change),
      (error) => error instanceof DemoFileError && says.test(error.message),
      says.source,
    )
  })
}
