import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWithoutPauses } from '../../kernel/slices.ts'
import { stemOf } from '../title/words.ts'
import { SpellingCorrector } from './spelling.ts'

const words =
  'celular heladera zapatilla notebook hervidor lavadora lavadero chinchorro extractor colcha'.split(
    ' ',
  )
const slips = runWithoutPauses(SpellingCorrector.build(words.map(stemOf)))
const correct = (written: string) => slips.correct(stemOf(written))

const written: [what: string, written: string, word: string][] = [
  ['as it sounds', 'selular', 'celular'],
  ['as it sounds', 'zapatiyas', 'zapatilla'],
  ['without a mute letter', 'ervidor', 'hervidor'],
  ['b for v', 'labadora', 'lavadora'],
  ['x for ch', 'xinxorro', 'chinchorro'],
  ['in a short word, too', 'kolcha', 'colcha'],
  ['s for x', 'estractor', 'extractor'],
  ['one letter too few', 'heladra', 'heladera'],
  ['one letter too many', 'celulaar', 'celular'],
  ['one letter too many', 'notebbock', 'notebook'],
  ['another letter', 'notevook', 'notebook'],
  ['two in the wrong order', 'hervidro', 'hervidor'],
]
for (const [what, slip, word] of written) {
  test(`a word is known ${what}: ${slip}`, () => assert.equal(correct(slip), stemOf(word)))
}

const unlike = ['abular', 'kelular', 'celu', 'celloras', 'a1234', 'ps5', '', 'mate']
for (const other of unlike) {
  test(`what is further off is no slip: “${other}”`, () => assert.equal(correct(other), undefined))
}

test('a word that sounds the same comes before one that is a letter off, and else the earlier one', () => {
  const near = runWithoutPauses(SpellingCorrector.build(['cajero', 'casero', 'canero']))
  assert.equal(near.correct('kazero'), 'casero')
  assert.equal(near.correct('cavero'), 'cajero')
})

test('every word is found by itself and without any of its letters but the first', () => {
  const many = ['trampolin', 'submarino', 'mandolina', 'plomeria']
  const all = runWithoutPauses(SpellingCorrector.build(many))
  for (const word of many) {
    for (let n = 1; n < word.length; n++) {
      assert.equal(all.correct(word.slice(0, n) + word.slice(n + 1)), word, `${word} without ${n}`)
    }
  }
})
