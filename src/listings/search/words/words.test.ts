import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../../../../test/harness/contract.ts'
import { purposeMark, queryWords, titleSequence, titleWords } from './words.ts'

const wordsOf = (text: string) => queryWords(text, 'es').map(({ stem }) => stem)

/** What somebody may ask for, and a title that has it. */
const matchingTitles: [wordsOf: string, title: string][] = [
  ['camion', 'Camión de juguete'],
  ['CAMIONES', 'camión'],
  ['camión', 'Camiones x 3'],
  ['caminhão', 'Caminhões de brinquedo'],
  ['caminhoes', 'Caminhão'],
  ['botões', 'Botão dourado'],
  ['taladros', 'Taladro percutor'],
  ['zapatilla', 'ZAPATILLAS RUNNING'],
  ['negro', 'Mochila negra'],
  ['lápices', 'lapiz'],
  ['ñandú', 'NANDU'],
  ['128gb', 'Celular 128 GB'],
  ['128 gb', 'Celular 128GB'],
  ['128', 'Celular 128GB'],
  ['2 litros', 'Botella 2lts'],
  ['1,5 l', 'Botella 1.5 Litros'],
  ['32 pulgadas', 'Tv 32"'],
  ["32''", 'Tv 32 pulg'],
  ['220v', 'Taladro 220 volts'],
  ['s23', 'Galaxy S23+'],
  ['wh-1000xm4', 'Auriculares WH-1000XM4'],
  ['wh1000xm4', 'Auriculares WH-1000XM4'],
  ['iphone 15', 'Apple iPhone 15 Pro'],
  ['de', 'Mesa de luz'],
  ['x', 'Pack x 3'],
  ['кофе', 'Кофе молотый'],
]
for (const [text, title] of matchingTitles) {
  contract(['4.4', 'catalog'], `“${text}” is found in “${title}”`, () => {
    const words = titleWords(title, 'es')
    for (const stem of wordsOf(text)) assert.ok(words.includes(stem), `${stem} in ${words}`)
    assert.ok(wordsOf(text).length > 0)
  })
}

const apart: [wordsOf: string, title: string][] = [
  ['128gb', 'Celular 64gb'],
  ['s23', 'Galaxy S22'],
  ['128gb', 'Cinta 128 cm'],
  ['mesa', 'Mesada'],
]
for (const [text, title] of apart) {
  contract('4.4', `“${text}” is not found in “${title}”`, () => {
    const words = titleWords(title, 'es')
    assert.ok(wordsOf(text).some((stem) => !words.includes(stem)))
  })
}

contract(['4.4', 'catalog'], 'small words count where there is nothing else', () => {
  assert.deepEqual(wordsOf('la mesa de luz'), wordsOf('mesa luz'))
  assert.deepEqual(wordsOf('mesa nueva y de oferta'), wordsOf('mesa'))
  assert.deepEqual(wordsOf('de la'), ['de', 'la'])
  assert.deepEqual(wordsOf('a'), ['a'])
  assert.deepEqual(wordsOf('mesa a'), wordsOf('mesa'))
})

contract(['4.4', 'catalog'], 'an accent tells a word from a small one', () => {
  assert.deepEqual(wordsOf('esmalte de uñas'), ['esmalt', 'una'])
  assert.deepEqual(wordsOf('unas tijeras'), ['tijer'])
})

const denials: [text: string, words: string[]][] = [
  ['yerba sin palo', ['yerb', '-pal']],
  ['leche s/lactosa', ['lech', '-lactos']],
  ['galletas sin sal ni azúcar', ['gallet', '-sal', '-azucar']],
  ['bebida zero açúcar', ['bebid', 'zer', '-acucar']],
  ['coca cola zero', ['coc', 'col', 'zer']],
  ['libre de gluten', ['libr', '-gluten']],
  ['talle s negro', ['tall', 'negr']],
]
for (const [text, words] of denials) {
  contract(['4.4', 'catalog'], `“${text}” is read as ${words.join(', ')}`, () => {
    assert.deepEqual(wordsOf(text), words)
  })
}

const measures: [text: string, stem: string][] = [
  ['1,5 l', '1500ml'],
  ['1.000 ml', '1000ml'],
  ['1.000 kg', '1000g'],
  ['900 cc', '900ml'],
  ['30 mts', '30000mm'],
  ['1,9 cm', '19mm'],
  ['1/2 kg', '500g'],
  ['medio kilo', '500g'],
  ['½ litro', '500ml'],
  ['un cuarto de kilo', '250g'],
  ['meio quilo', '500g'],
  ['2tb', '2000gb'],
]
for (const [text, stem] of measures) {
  contract(['4.4', 'catalog'], `“${text}” is ${stem}`, () => {
    assert.deepEqual(wordsOf(text), [stem])
    assert.ok(titleWords(`Algo x ${text}`, 'es').includes(stem))
  })
}

contract(['4.4', 'catalog'], 'initials are a word', () => {
  assert.deepEqual(wordsOf('champú h&s'), ['champu', 'hs'])
  assert.ok(titleWords('Champú H&S citrus', 'es').includes('hs'))
})

test('an abbreviation before a number is a reference', () => {
  assert.ok(titleWords('refr cola 2l', 'pt').includes('refrigerant'))
  assert.ok(!titleWords('capa incas ref 509', 'pt').includes('refrigerant'))
})

test('the words of a title in order say where its purpose begins', () => {
  assert.deepEqual(titleSequence('Funda negra para Samsung S23', 'es'), [
    'fund~a',
    'negr~a',
    purposeMark,
    'samsung',
    's23',
  ])
  assert.deepEqual(titleSequence('Sabonete p/ bebê lav. 6x90g', 'pt').includes('6x90g'), true)
})

contract('4.4', 'a word counts once, and more than twelve say no more', () => {
  assert.deepEqual(wordsOf('mesa mesas MESA'), wordsOf('mesa'))
  const many = Array.from({ length: 40 }, (_, n) => `palabra${n}`).join(' ')
  assert.equal(queryWords(many, 'es').length, 12)
})

contract('4.4', 'the last word may go on, unless something stands behind it', () => {
  assert.deepEqual(
    queryWords('mesa lu', 'es').map(({ isOpen }) => isOpen),
    [false, true],
  )
  assert.equal(queryWords('mesa ', 'es')[0]?.isOpen, false)
})

test('what has no word has none', () => {
  for (const text of ['', '  ', '!?', '—', '""']) assert.deepEqual(queryWords(text, 'es'), [])
})
