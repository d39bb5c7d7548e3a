import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leafLexiconOf } from './leaf-lexicon.ts'
import { featuresOf } from './model/features.ts'
import { countPerListing, TrainedModel } from './model/trained-model.ts'
import { NameReliability } from './name-reliability.ts'
import { Predictor } from './predictor.ts'
import type { PredictorCategory } from './source.ts'
import { significantWordsOf } from './title/words.ts'

const size = 40
/** Returns a name of one word. No spelling correction leads from one of them to another. */
const nameOf = (n: number) => `nombre${String.fromCharCode(97 + (n % 26)).repeat(6)}${n}`
const categories = Array.from({ length: size }, (_, n): PredictorCategory => {
  const name = nameOf(n)
  const names = { es: name, pt: name, en: name }
  return { key: name, number: n, parent: null, names, kinds: [], aliases: [], domain: null }
})
const lexicon = leafLexiconOf(categories)
const indexOf = categories.map(({ number }) => number)

function train(
  model: TrainedModel,
  ...listings: [title: string, number: number, times?: number][]
): TrainedModel {
  for (const [title, number, times = 1] of listings) {
    model.train(featuresOf(significantWordsOf(title)), number, times * countPerListing)
  }
  return model
}

/** A model whose first categories have a listing each: with the word of their own name, or that of another one. */
function modelWith({ confirmed, refuted }: { confirmed: number; refuted: number }): TrainedModel {
  const model = new TrainedModel()
  // Equal indexes in the model and in the tree.
  for (const number of indexOf) model.addCategory(number, 0)
  for (let n = 0; n < confirmed; n++) train(model, [nameOf(n), n])
  for (let n = confirmed; n < confirmed + refuted; n++) train(model, [nameOf(n), (n + 1) % size])
  return model
}

for (const [name, { model, expected }] of Object.entries({
  'an empty model': { model: new TrainedModel(), expected: 1 },
  'listings without words of names': {
    model: train(new TrainedModel(), ['otra cosa', 0, 99]),
    expected: 1,
  },
  'listings that confirm names': {
    model: modelWith({ confirmed: 30, refuted: 0 }),
    expected: 1,
  },
  'more listings that confirm names than others': {
    model: modelWith({ confirmed: 20, refuted: 15 }),
    expected: 1,
  },
  'a single listing elsewhere, beside the ten that are assumed': {
    model: modelWith({ confirmed: 0, refuted: 1 }),
    expected: 10 / 11,
  },
  'three listings elsewhere for each that confirms a name': {
    model: modelWith({ confirmed: 9, refuted: 27 }),
    expected: 19 / 37,
  },
})) {
  test(`names keep ${expected.toFixed(2)} of their weight beside ${name}`, () => {
    const factor = new NameReliability(lexicon.lexicon.index).factor({ model, indexOf })
    assert.ok(Math.abs(factor - expected) < 1e-9, String(factor))
  })
}

test('listings of categories that the tree lacks refute no name', () => {
  const model = new TrainedModel()
  for (let n = 0; n < 30; n++) train(model, [nameOf(n), 1_000 + n])
  const reliability = new NameReliability(lexicon.lexicon.index)
  assert.equal(reliability.factor({ model, indexOf: model.numbers.map(() => -1) }), 1)
})

test('the weight of names follows new listings, removed ones and another model', () => {
  const reliability = new NameReliability(lexicon.lexicon.index)
  const model = modelWith({ confirmed: 0, refuted: 30 })
  assert.equal(reliability.factor({ model, indexOf }), 10 / 40)
  for (let n = 0; n < 30; n++) train(model, [nameOf(n), (n + 1) % size, -1])
  assert.equal(reliability.factor({ model, indexOf }), 1)
  for (let n = 0; n < 10; n++) train(model, [nameOf(n), n + 1])
  assert.equal(reliability.factor({ model, indexOf }), 10 / 20)
  const other = modelWith({ confirmed: 30, refuted: 0 })
  assert.equal(reliability.factor({ model: other, indexOf }), 1)
})

test('where listings refute the names, a learned word outweighs a name, and elsewhere it does not', () => {
  const predictor = new Predictor('MLA', lexicon)
  const first = (model: TrainedModel) =>
    predictor.predict(`${nameOf(35)} stanley`, { limit: 1, model })[0]?.category.number
  const [confirmed, refuted] = [
    modelWith({ confirmed: 30, refuted: 0 }),
    modelWith({ confirmed: 0, refuted: 30 }),
  ]
  for (const model of [confirmed, refuted]) train(model, ['stanley', 3])
  assert.equal(first(confirmed), 35)
  assert.equal(first(refuted), 3)
})
