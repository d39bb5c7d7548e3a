import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTitle, significantWordsOf, stemOf, TitleReader } from './words.ts'

const alike: [one: string, several: string][] = [
  ['camion', 'camiones'],
  ['caminhao', 'caminhoes'],
  ['taladro', 'taladros'],
  ['panal', 'panales'],
  ['colchao', 'colchoes'],
  ['botao', 'botoes'],
  ['animal', 'animais'],
  ['papel', 'papeis'],
  ['jovem', 'jovens'],
  ['luz', 'luces'],
  ['luz', 'luzes'],
  ['collar', 'collares'],
  ['perro', 'perra'],
  ['lente', 'lentes'],
]

for (const [one, several] of alike) {
  test(`${one} and ${several} are one word`, () => assert.equal(stemOf(one), stemOf(several)))
}

test('short words stay as they are', () => {
  for (const word of ['gas', 'mes', 'led', 'ps5']) assert.equal(stemOf(word), word)
})

test('capitals, accents and signs make no difference', () => {
  const stems = (title: string) => significantWordsOf(title).map(({ stem }) => stem)
  assert.deepEqual(stems('Caminhão de Açúcar!!'), stems('CAMINHAO  (acucar)'))
})

test('small words, shop words, numbers and measures tell nothing', () => {
  assert.deepEqual(significantWordsOf('Envío gratis! el 300 lts 12v 50x70 de la para'), [])
})

test('models keep their numbers', () => {
  assert.deepEqual(
    significantWordsOf('ps5 galaxy s23').map(({ stem }) => stem),
    ['ps5', 'galaxy', 's23'],
  )
})

test('the first word tells most, and what a thing is for least', () => {
  const [cama, grande, perro] = significantWordsOf('Cama grande para perro')
  assert.equal(cama?.weight, 1)
  assert.ok((grande?.weight ?? 0) < 1 && (grande?.weight ?? 0) > 1.3 * (perro?.weight ?? 1))
})

test('where a title begins with what the thing is for, nothing tells which word names the thing', () => {
  const { words, beginsWithGoods } = readTitle('Para el perro cama grande con funda')
  assert.deepEqual([beginsWithGoods, ...words.map(({ weight }) => weight)], [false, 1, 1, 1, 0.6])
})

const titles = [
  'Cama para perro',
  'Con garantia cama',
  '2 para 1 cama',
  'S-10 cama',
  'C++ cama',
  '',
]
for (const title of titles) {
  test(`“${title}” may begin with what the thing is called`, () =>
    assert.equal(readTitle(title).beginsWithGoods, true))
}

test('numbers and what shops say are told apart from words, each once', () => {
  const { words, extras } = readTitle('fiat 500 precio 500')
  assert.deepEqual(
    [words, extras].map((all) => all.map(({ stem }) => stem)),
    [['fiat'], ['500', 'preci']],
  )
})

test('a reader that has seen very many words reads as before', () => {
  const reader = new TitleReader((stem) => ({ number: stem.length, isCorrected: false }))
  const before = reader.read('Funda celular 500')
  for (let n = 0; n < 100_000; n++) reader.read(`w${n}`)
  assert.deepEqual(reader.read('Funda celular 500'), before)
})

test('a plus tells models apart, and says nothing of what a thing is', () => {
  const { tokens, words } = readTitle('Galaxy S23+')
  assert.deepEqual(
    [tokens.map(({ written }) => written), words.map(({ stem }) => stem)],
    [
      ['galaxy', 's23+'],
      ['galaxy', 's23'],
    ],
  )
})

test('two words are one only if they are the same, whatever their reader takes them for', () => {
  const meanings = [
    { number: -1, isCorrected: false },
    { number: -1, isCorrected: true },
    { number: 7, isCorrected: true },
  ]
  for (const meaning of meanings) {
    const { words } = new TitleReader(() => meaning).read('mesa meza mesas')
    assert.deepEqual(
      words.map(({ stem }) => stem),
      ['mes', 'mez'],
    )
  }
})

test('titles in turn are each read for what they are', () => {
  const [one, other] = ['Mesa de roble', 'Silla de pino']
  const alone = [one, other].map((title) => new TitleReader().read(title))
  const reader = new TitleReader()
  for (const n of [0, 0, 1, 0, 1, 1]) {
    assert.deepEqual(reader.read([one, other][n] as string), alone[n])
  }
})

test('a title that is asked for twice is read once', () => {
  const reader = new TitleReader()
  const read = reader.read('Mesa de roble')
  assert.equal(reader.read('Mesa de roble'), read)
})

test('of a text without bounds its first thousand signs are read', () => {
  const { words } = readTitle(`${'mesa '.repeat(200)}silla`)
  assert.deepEqual(
    words.map(({ stem }) => stem),
    ['mes'],
  )
})

const stemsOf = (title: string) => significantWordsOf(title).map(({ stem }) => stem)

const notStopWords: [title: string, stems: string[]][] = [
  ['Té verde', ['te', 'verd']],
  ['TE VERDE', ['te', 'verd']],
  ['Tinte de pelo', ['tint', 'pel']],
  ['Lã de aço', ['la', 'aco']],
  ['la de aco', ['aco']],
  ['Pan, sal, ron, col, ajo y uva', ['pan', 'sal', 'ron', 'col', 'ajo', 'uva']],
]
for (const [title, stems] of notStopWords) {
  test(`the words of “${title}” are ${stems.join(', ')}`, () =>
    assert.deepEqual(stemsOf(title), stems))
}

const lexiconWords = ['biscoit', 'cervez', 'macarra']
const meaningOf = (stem: string) => ({ number: lexiconWords.indexOf(stem), isCorrected: false })
const numbersIn = (reader: TitleReader, title: string) =>
  reader.read(title).words.map(({ number }) => number)

test('an abbreviation is its word in its language alone', () => {
  const [pt, es] = [
    new TitleReader(meaningOf, { language: 'pt' }),
    new TitleReader(meaningOf, { language: 'es' }),
  ]
  assert.deepEqual(numbersIn(pt, 'Bisc maizena'), [lexiconWords.indexOf('biscoit'), -1])
  assert.deepEqual(numbersIn(es, 'Bisc maizena'), [-1, -1])
  assert.deepEqual(numbersIn(es, 'CERV rubia'), [lexiconWords.indexOf('cervez'), -1])
})

test('an abbreviation with a dot counts with the dot only', () => {
  const reader = new TitleReader(meaningOf, { language: 'pt' })
  assert.deepEqual(numbersIn(reader, 'mac mini'), [-1, -1])
  assert.deepEqual(numbersIn(reader, 'mac. mini'), [lexiconWords.indexOf('macarra'), -1])
})

test('a word that is cut with a dot is looked up by its beginning, unless a number follows', () => {
  const beginnings: string[] = []
  const completionOf = (beginning: string) => {
    beginnings.push(beginning)
    return { number: 2, isCorrected: true }
  }
  const reader = new TitleReader(meaningOf, { completionOf })
  assert.deepEqual(numbersIn(reader, 'quej.fresco'), [2, -1])
  assert.deepEqual(numbersIn(reader, 'modelo.5 quejs'), [-1, -1])
  assert.deepEqual(beginnings, ['quej'])
})
