import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTitle, type TitleWord } from '../title/words.ts'
import { Lexicon } from './lexicon.ts'

const say = (category: number, text: string, by = 1) => ({ category, text, by })
/** How far those are trusted who say so. */
const trustOf = (by: number) => (by & 2 ? 1.15 : by & 1 ? 1 : 0.7)

function find(lexicon: Lexicon, title: string): [category: number, score: number][] {
  const scoreInput = { title: lexicon.read(title), trust: lexicon.computeTrust(trustOf) }
  const [met, scores] = [new Int32Array(100), new Float64Array(100)]
  const scored = met.subarray(0, lexicon.scoreCategories(scoreInput, { categories: met, scores }))
  return [...scored]
    .map((category): [number, number] => [category, scores[category] as number])
    .sort(([, a], [, b]) => b - a)
}
const best = (lexicon: Lexicon, title: string) => find(lexicon, title)[0]?.[0]

test('the saying that is all in the title comes before one that is half in it', () => {
  const lexicon = new Lexicon([say(0, 'cama para perro'), say(1, 'cama elastica grande')])
  assert.equal(best(lexicon, 'Cama perro lavable'), 0)
})

test('a rare word tells more than a common one', () => {
  const common = Array.from({ length: 50 }, (_, n) => say(n + 2, `funda numero${n}`))
  const lexicon = new Lexicon([say(0, 'funda celular'), say(1, 'kayak inflable'), ...common])
  assert.equal(best(lexicon, 'kayak con funda'), 1)
})

test('of two that say the same the more trusted comes first', () => {
  const lexicon = new Lexicon([say(0, 'nevera', 4), say(1, 'nevera', 2)])
  assert.equal(best(lexicon, 'nevera'), 1)
})

test('a category counts by its nearest saying, not by how many it has', () => {
  const many = ['rueda auto', 'rueda moto', 'rueda bici', 'rueda'].map((text) => say(0, text))
  const lexicon = new Lexicon([...many, say(1, 'rueda de bicicleta')])
  const scores = find(lexicon, 'rueda bicicleta')
  assert.equal(scores.length, 2)
  assert.equal(scores[0]?.[0], 1)
})

test('a saying whose words the title has in their order comes first', () => {
  const lexicon = new Lexicon([say(0, 'boca fogao'), say(1, 'fogao 4 bocas')])
  assert.equal(best(lexicon, 'Fogao 5 bocas inox'), 1)
  assert.equal(best(lexicon, 'Boca de fogao'), 0)
})

test('a word that is written wrong tells less than the right one, and nothing where there is the right one', () => {
  const lexicon = new Lexicon([say(0, 'heladera'), say(1, 'helado artesanal')])
  const [[category, score] = [-1, 0]] = find(lexicon, 'eladra')
  const [[, right] = [-1, 0]] = find(lexicon, 'heladera')
  assert.ok(category === 0 && score > 0 && score < right, String(score))
  assert.deepEqual(find(lexicon, 'heladera eladra'), find(lexicon, 'heladera'))
  assert.deepEqual(find(lexicon, 'nueva eladra heladera'), find(lexicon, 'eladra heladera'))
  const [[, late] = [-1, 0]] = find(lexicon, 'eladra heladera')
  assert.ok(late > score * 0.9, `${late}: as the right word where it stands`)
  const [match] = lexicon.phrasesOf(0, {
    title: lexicon.read('eladra'),
    trust: lexicon.computeTrust(trustOf),
  })
  assert.deepEqual([match?.text, match?.words], ['heladera', ['eladr']])
})

test('nothing of a title is left for the next one', () => {
  const make = () => new Lexicon([say(0, 'fiat 500 cabrio'), say(1, 'fiat uno')])
  const used = make()
  find(used, 'fiat 500')
  assert.deepEqual(find(used, 'fiat cabrio'), find(make(), 'fiat cabrio'))
})

test('a number is a part of what a thing is called, and nothing without it', () => {
  const lexicon = new Lexicon([say(0, 'fiat 500'), say(1, 'fiat uno'), say(2, 'paragolpe fiat')])
  assert.equal(best(lexicon, 'Fiat 500 cult'), 0)
  assert.deepEqual(find(lexicon, 'Aceite 500 ml'), [])
  const near = (title: string) => new Map(find(lexicon, title))
  assert.equal(near('fiat').get(0), near('fiat').get(1))
  assert.equal(near('fiat 600').get(0), near('fiat').get(0))
})

test('a word that looks like a number is none', () => {
  const bags = [say(0, 'vaso 10pack'), say(1, 'bolsa 10packs'), say(2, 'fiat 500'), say(3, 'fiat')]
  const lexicon = new Lexicon(bags)
  assert.deepEqual(
    find(lexicon, '10packs').map(([category]) => category),
    [1],
  )
  const near = new Map(find(lexicon, 'fiat 500'))
  assert.ok((near.get(2) ?? 0) > (near.get(3) ?? 0), 'with its number it is nearer')
})

test('what a title begins with names the thing, what follows may be what it is for', () => {
  const others = [say(2, 'kit herramientas'), say(3, 'swift')]
  const lexicon = new Lexicon([say(0, 'espejo'), say(1, 'suzuki swift'), ...others])
  assert.equal(best(lexicon, 'Espejo Suzuki Swift'), 0)
  assert.equal(best(lexicon, 'Suzuki Swift espejo electrico'), 1)
  assert.equal(best(lexicon, 'Kit espejo Suzuki Swift'), 0)
})

test('of two that are called the same the one comes first that has more of the title', () => {
  const lexicon = new Lexicon([say(0, 'camara'), say(1, 'camara'), say(1, 'neumatico moto')])
  assert.equal(best(lexicon, 'Camara 90 90 18 moto'), 1)
})

test('what shops say of anything is a part of a name, and nothing without it', () => {
  const lexicon = new Lexicon([say(0, 'placa de precio'), say(1, 'placa')])
  assert.equal(best(lexicon, 'Placa madre'), 1)
  assert.equal(best(lexicon, 'Placa precio acrilico'), 0)
  assert.deepEqual(find(lexicon, 'Mejor precio'), [])
})

test('one lookup leaves nothing behind for the next', () => {
  const lexicon = new Lexicon([say(0, 'mate'), say(1, 'termo'), say(2, 'mate termo')])
  const first = find(lexicon, 'mate termo')
  find(lexicon, 'mate mate termo')
  assert.deepEqual(find(lexicon, 'mate termo'), first)
  assert.deepEqual(find(lexicon, 'zapatilla 500'), [])
  assert.deepEqual(find(lexicon, 'mate termo'), first)
})

test('the hundred-thousandth lookup finds what the first one found', () => {
  const lexicon = new Lexicon([
    say(0, 'cama para perro'),
    say(1, 'cama gato'),
    say(2, 'perro gato'),
  ])
  const trust = lexicon.computeTrust(trustOf)
  const titles = ['cama perro', 'cama gato perro', 'gato'].map((title) => lexicon.read(title))
  const lookUp = (n: number) => {
    const title = titles[n % titles.length] as (typeof titles)[number]
    const scored = { categories: new Int32Array(3), scores: new Float64Array(3) }
    lexicon.scoreCategories({ title, trust }, scored)
    return scored.scores
  }
  const first = titles.map((_, n) => lookUp(n))
  for (let n = 0; n < 100_000; n++) {
    const scores = lookUp(n)
    if (scores.some((score, category) => score !== first[n % 3]?.[category])) assert.fail(`${n}`)
  }
})

test('a lookup comes to what a look at every saying comes to', () => {
  const word = fc.constantFrom('mesa', 'silla', 'jardin', 'roble', 'plegable', 'taladro')
  const words = fc.uniqueArray(word, { minLength: 1, maxLength: 4 })
  const numbers = fc.subarray(['500', '2', '12v'])
  const text = fc.tuple(words, numbers).map((all) => all.flat().join(' '))
  const saying = fc.record({ category: fc.nat(4), text, by: fc.constantFrom(1, 2, 4) })
  const unlike = (a: { category: number; text: string }) => `${a.category} ${a.text}`
  const sayings = fc.uniqueArray(saying, { minLength: 1, maxLength: 30, selector: unlike })
  const stems = (title: string) => readTitle(title).words.map(({ stem }) => stem)
  const extrasOf = (title: string) => readTitle(title).extras.map(({ stem }) => stem)
  fc.assert(
    fc.property(sayings, text, fc.constantFrom('', 'para '), (all, text, before) => {
      const title = `${before}${text}`
      const count = Math.max(...all.map(({ category }) => category)) + 1
      const idf = (stem: string) => {
        const having = all.filter(({ text }) => stems(text).includes(stem))
        const categories = new Set(having.map(({ category }) => category)).size
        return Math.log(1 + count / categories) ** 0.8
      }
      const titleWords = readTitle(title)
      const knownWords = titleWords.words.filter(({ stem }) =>
        all.some(({ text }) => stems(text).includes(stem)),
      )
      const wordScore = (of: TitleWord) => of.weight * idf(of.stem)
      const nearest = new Map<number, number>()
      /** By category and word of the title. */
      const alone = new Map<number, Map<string, number>>()
      for (const { category, text, by } of all) {
        const [own, extras] = [stems(text), extrasOf(text)]
        const matchedWords = knownWords.filter(({ stem }) => own.includes(stem))
        const size = own.length + extras.length
        const near = (part: number) => (0.3 + (0.7 * part) / size) * trustOf(by)
        const whole = (part: number) => (part === size ? 1.2 : 1)
        const words = alone.get(category) ?? new Map<string, number>()
        for (const of of matchedWords) {
          words.set(of.stem, Math.max(words.get(of.stem) ?? 0, wordScore(of) * near(1) * whole(1)))
          alone.set(category, words)
        }
        const both = extras.filter((extra) => extrasOf(title).includes(extra)).length
        if (matchedWords.length === 0) continue
        const places = own.map((stem) => stems(title).indexOf(stem)).filter((n) => n >= 0)
        const order = places.every((position, n) => n === 0 || position > (places[n - 1] ?? 0))
          ? 1
          : 0.7
        const sum = matchedWords.reduce((sum, of) => sum + wordScore(of), 0)
        const part = matchedWords.length + both
        const boost = (both > 0 ? 1.25 : 1) * (order === 1 ? whole(part) : 1)
        const score = sum * order * boost * near(part)
        nearest.set(category, Math.max(nearest.get(category) ?? 0, score, ...words.values()))
      }
      const lexicon = new Lexicon(all)
      const scores = new Map(find(lexicon, title))
      assert.deepEqual([...scores.keys()].sort(), [...nearest.keys()].sort())
      for (const [category, near] of nearest) {
        const words = alone.get(category) ?? new Map<string, number>()
        const together = near + 0.5 * [...words.values()].reduce((sum, value) => sum + value, 0)
        const hasFirst = before === '' && words.has(knownWords[0]?.stem ?? '')
        const score = hasFirst ? 1.2 * together : together
        assert.ok(Math.abs((scores.get(category) ?? 0) - score) < 1e-5, `${category}: ${score}`)
        const asking = { title: lexicon.read(title), trust: lexicon.computeTrust(trustOf) }
        const [first] = lexicon.phrasesOf(category, asking)
        assert.ok(Math.abs((first?.score ?? 0) - near) < 1e-5, `${category}: told ${near}`)
      }
    }),
    { numRuns: 300 },
  )
})
