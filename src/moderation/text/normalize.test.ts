import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../test/harness/code-points.ts'
import { foldMessageText, originalSpan } from '../fold/fold.ts'
import { patternOf } from '../patterns.ts'
import { patternEnd } from '../phrases.ts'
import { normalizeText } from './normalize.ts'
import { splitIntoWords } from './words.ts'

const formsOf = (text: string) =>
  splitIntoWords(foldMessageText(text).text).words.map(({ form }) => form)

test('capitals, accents and look-alikes fold, the ñ stays', () => {
  for (const [text, folded] of [
    ['AÑO ÁRBOL', 'año arbol'],
    ['ação', 'acao'],
    ['ｗｈａｔｓ', 'whats'],
    ['рауpаl', 'paypal'],
    ['½ x²', '1 x2'],
    ['z\u200bap', 'zap'],
    ['za\u00adp', 'zap'],
    ['🅰️🅱️', 'ab'],
    ['3️⃣', '3'],
  ]) {
    assert.equal(foldMessageText(text as string).text, folded)
  }
})

test('every span of the folded text has a span of the original, in order and within it', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCodePoint }),
    fc.string({ unit: fc.constantFrom('a', 'ñ', 'á', '\u00ad', 'ﬁ', '3️⃣', '🅰️', '½', 'р') }),
  )
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (original, one, other) => {
      const folded = foldMessageText(original)
      if (folded.text.length === 0) return
      const from = one % folded.text.length
      const to = from + 1 + (other % (folded.text.length - from))
      const span = originalSpan(folded, { from, to })
      assert.ok(span.from >= 0 && span.from < span.to && span.to <= original.length)
      const [whole] = [originalSpan(folded, { from: 0, to: folded.text.length })]
      assert.ok(whole.from <= span.from && span.to <= whole.to)
    }),
  )
})

test('a span covers what was dropped between its letters and splits no character', () => {
  const folded = foldMessageText('x p\u00adu\u200bta 🅰️')
  assert.equal(folded.text, 'x puta a')
  assert.deepEqual(originalSpan(folded, { from: 2, to: 6 }), { from: 2, to: 8 })
  assert.deepEqual(originalSpan(folded, { from: 7, to: 8 }), { from: 9, to: 12 })
})

test('words read as they are meant: digits and signs for letters, letters apart, letters too many', () => {
  for (const [text, forms] of [
    ['m13rd4', ['mierda']],
    ['put@s', ['putas']],
    ['ana@gmail.com', ['ana', 'gmail', 'com']],
    ['g m a i l', ['gmail']],
    ['p.u.t.o', ['puto']],
    ['holaaaa', ['hola']],
    ['perro', ['perro']],
    ['1000', ['1000']],
    ['ddd 11', ['ddd', '11']],
    ['insta gram', ['instagram']],
    ['S, M, L', ['sml']],
    ['a b', ['a', 'b']],
    ['p*ta', ['p*ta']],
    ['5*3', ['5', '3']],
  ] as const) {
    assert.deepEqual(formsOf(text), forms, text)
  }
})

test('a sentence ends at a stop before a space, not after an abbreviation or within a number', () => {
  const stops = (text: string) =>
    splitIntoWords(foldMessageText(text).text)
      .words.filter(({ stop }) => stop)
      .map(({ form }) => form)
  assert.deepEqual(stops('Hola. Av. Mitre 5.000! ok\nsi'), ['av', 'ok', 'si'])
  assert.deepEqual(stops('listo.gracias'), [])
})

test('a phrase is found with its gaps and choices, never across the end of a sentence', () => {
  const at = (line: string, text: string) =>
    patternEnd(normalizeText(text).words, 0, patternOf(line, new Map()))
  assert.equal(at('no abr* un|el? reclamo', 'no abras el reclamo'), 4)
  assert.equal(at('no abr* un|el? reclamo', 'no abras reclamo'), 3)
  assert.equal(at('no ..2 reclamo', 'no me abras reclamo'), 4)
  assert.equal(at('no ..2 reclamo', 'no me abras un reclamo'), -1)
  assert.equal(at('no ..2 reclamo', 'no. El reclamo'), -1)
  assert.equal(at('calle ..2 #', 'calle mitre 345'), 3)
  assert.equal(at('calle ..2 #', 'calle mitre 123456'), -1)
  assert.equal(at('calle ..2 ##', 'calle mitre 34'), -1)
  assert.equal(at('no pago|por+ fuera', 'no pago por por fuera'), 5)
  assert.equal(at('no pago|por+ fuera', 'no fuera'), -1)
  assert.equal(at('no pago|por+? fuera', 'no fuera'), 2)
  assert.equal(at('no pago|fuera+ fuera', 'no pago fuera'), 3)
})
