import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leafLexiconOf } from './leaf-lexicon.ts'
import { featuresOf } from './model/features.ts'
import { countPerListing, TrainedModel } from './model/trained-model.ts'
import { Predictor } from './predictor.ts'
import type { PredictorCategory } from './source.ts'
import { significantWordsOf } from './title/words.ts'

/** A tree of two levels: each name with the names below it, which are numbered from 1 on. */
function siteOf(names: Record<string, readonly string[]>) {
  let number = 0
  const categoryNamed = (name: string, parent: string | null): PredictorCategory => ({
    key: name,
    parent,
    number: parent === null ? 1000 + number : ++number,
    names: { es: name, pt: name, en: name },
    kinds: [],
    aliases: [],
    domain: null,
  })
  const categories = Object.entries(names).flatMap(([top, below]) => [
    categoryNamed(top, null),
    ...below.map((name) => categoryNamed(name, top)),
  ])
  return { categories, predictor: new Predictor('MLA', leafLexiconOf(categories)) }
}

const { categories, predictor } = siteOf({
  Cocina: ['Mates', 'Termos', 'Vasos'],
  Hogar: ['Velas', 'Cuadros'],
})
const numberOf = (name: string) => categories.find(({ key }) => key === name)?.number as number

function taught(
  ...listings: [title: string, category: string | number, times?: number][]
): TrainedModel {
  const learned = new TrainedModel()
  for (const [title, category, times = 1] of listings) {
    const number = typeof category === 'number' ? category : numberOf(category)
    learned.train(featuresOf(significantWordsOf(title)), number, times * countPerListing)
  }
  return learned
}
const guess = (title: string, learned?: TrainedModel, most = 4) =>
  predictor.predict(title, { limit: most, model: learned }).map(({ category }) => category.key)

test('without listings a title is known by what categories are called', () => {
  assert.deepEqual(guess('termo azul'), ['Termos'])
  assert.deepEqual(guess('stanley 1 l'), [])
  assert.deepEqual(guess('termo azul', new TrainedModel()), ['Termos'])
})

test('never more are told than were asked for, and those are the best', () => {
  const all = guess('mate vaso termo vela')
  assert.equal(all.length, 4)
  for (const most of [1, 2, 3]) {
    assert.deepEqual(guess('mate vaso termo vela', undefined, most), all.slice(0, most))
  }
})

test('a word that no category is called by is known from listings', () => {
  assert.equal(guess('stanley verde', taught(['stanley acero', 'Termos']))[0], 'Termos')
})

test('listings outweigh names where there are enough of them', () => {
  const learned = taught(['vela mate dorada', 'Velas', 30], ['mate calabaza', 'Mates', 30])
  assert.equal(guess('vela mate', learned)[0], 'Velas')
  assert.equal(guess('mate de calabaza', learned)[0], 'Mates')
})

test('the first listings of a large tree outweigh no name, many more of the same do', () => {
  const others = Array.from({ length: 2000 }, (_, n) => `Cosa${n}`)
  const large = siteOf({ Cocina: ['Mates', 'Neveras'], Camping: ['Conservadoras'], Otras: others })
  const first = (listings: number) => {
    const learned = new TrainedModel()
    const title = 'nevera portatil camping'
    const conservadoras = large.categories.find(({ key }) => key === 'Conservadoras')
    for (let n = 0; n < listings; n++) {
      learned.train(
        featuresOf(significantWordsOf(title)),
        conservadoras?.number as number,
        countPerListing,
      )
    }
    return (title: string) =>
      large.predictor.predict(title, { limit: 1, model: learned })[0]?.category.key
  }
  for (const listings of [1, 2, 3]) {
    assert.equal(first(listings)('nevera haceb 220 lts'), 'Neveras', `${listings} listings`)
    assert.equal(first(listings)('portatil'), 'Conservadoras', `${listings} listings`)
  }
  assert.equal(first(30)('nevera portatil 20 lts'), 'Conservadoras')
})

test('a word that many are called by tells less beside listings than one that is rare', () => {
  const others = Array.from({ length: 100 }, (_, n) => `Azul${n}a${n} azul`)
  const { categories, predictor } = siteOf({ Cocina: ['Mates', 'Termos'], Otras: others })
  const learned = new TrainedModel()
  learned.train(featuresOf(significantWordsOf('stanley')), 1, countPerListing)
  const named = (title: string) => {
    const [first] = predictor.predict(title, { limit: 1, model: learned })
    assert.ok(first)
    return predictor.explain(title, first.category, learned).nameScore
  }
  assert.ok(categories.length > 100)
  assert.ok(named('azul') < 0.2, String(named('azul')))
  assert.ok(named('termos') > 2 * named('azul'), String(named('termos')))
})

test('a category with a hundred times the listings does not drown a small one', () => {
  const learned = taught(['copa vidrio', 'Vasos', 300], ['copa ceramica', 'Mates', 3])
  assert.equal(guess('copa ceramica', learned)[0], 'Mates')
})

test('what is known of a category that is not in the tree speaks for none', () => {
  const learned = taught(['stanley acero', 'Termos'], ['stanley acero', 98_765_432_101, 50])
  assert.deepEqual(guess('stanley', learned), guess('stanley', taught(['stanley acero', 'Termos'])))
  assert.equal(guess('stanley', learned)[0], 'Termos')
})

test('what was learned outlives the tree: numbers stay', () => {
  const learned = taught(['stanley acero', 'Termos', 3])
  assert.equal(guess('stanley', learned)[0], 'Termos')
  const other = siteOf({ Bazar: ['Platos', 'Botellas y termos'] })
  const [first] = other.predictor.predict('stanley', { limit: 1, model: learned })
  assert.equal(first?.category.number, numberOf('Termos'))
  assert.equal(first?.category.key, 'Botellas y termos')
})

test('of two that are as likely, the one whose neighbours are likely comes first', () => {
  const learned = taught(['juego gris', 'Vasos'], ['juego gris', 'Velas'], ['gris', 'Mates'])
  assert.equal(guess('juego gris', learned)[0], 'Vasos')
})

test('one look leaves nothing behind for the next, whatever was learned', () => {
  const learned = taught(['stanley acero', 'Termos', 3], ['vela', 'Velas'])
  const first = predictor.predict('termo stanley vela', { limit: 4, model: learned })
  predictor.predict('vela de cera', { limit: 1, model: learned })
  predictor.explain('vela', first[0]?.category as (typeof first)[0]['category'], learned)
  predictor.predict('termo stanley vela', { limit: 4 })
  assert.deepEqual(predictor.predict('termo stanley vela', { limit: 4, model: learned }), first)
})

test('an explanation adds up to the score, and says which names and which words it is made of', () => {
  const learned = taught(['stanley acero', 'Termos', 3], ['stanley mate', 'Mates'])
  const guesses = predictor.predict('Termo Stanley', { limit: 4, model: learned })
  for (const { category, score } of guesses) {
    const {
      nameScore,
      modelScore: from,
      siblingScore,
    } = predictor.explain('Termo Stanley', category, learned)
    assert.ok(Math.abs(nameScore + from + siblingScore - score) < 1e-9, category.key)
  }
  const [first] = guesses
  assert.equal(first?.category.key, 'Termos')
  const { names, words } = predictor.explain('Termo Stanley', first.category, learned)
  assert.deepEqual(
    names.map(({ text, kind, words }) => ({ text, kind, words })),
    [{ text: 'Termos', kind: 'name', words: ['term'] }],
  )
  const [word] = words
  assert.equal(word?.text, 'stanley')
  assert.equal(word.listings, 3)
  assert.ok(word.share > 0.5 && word.share < 1, String(word.share))
})

test('without listings an explanation is of names alone', () => {
  const [first] = predictor.predict('mates', { limit: 1 })
  assert.ok(first)
  const { nameScore, modelScore, siblingScore, words } = predictor.explain(
    'mates',
    first.category,
    undefined,
  )
  assert.deepEqual([nameScore, modelScore, siblingScore, words], [first.score, 0, 0, []])
})
