import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SiteId } from '../kernel/sites.ts'
import { leafLexiconOf, phraseTrustOn } from './leaf-lexicon.ts'
import type { PredictorCategory } from './source.ts'

const category = (
  key: string,
  of: Pick<PredictorCategory, 'names'> & Partial<PredictorCategory>,
): PredictorCategory => ({
  key,
  number: 1,
  parent: 'top',
  kinds: [],
  aliases: [],
  domain: 'FRIDGES',
  ...of,
})

const top = category('top', {
  parent: null,
  domain: null,
  names: { es: 'Electrodomésticos', pt: 'Eletrodomésticos', en: 'Appliances' },
})
const fridges = category('fridges', {
  names: { es: 'Refrigeradores', pt: 'Geladeiras', en: 'Refrigerators' },
  kinds: [{ es: 'Frigobares', pt: 'Frigobares', en: 'Minibars' }],
  aliases: [{ text: 'heladera', sites: ['MLA', 'MLU', 'MPY'] }],
})

test('words of a country are trusted most there, names most in their language', () => {
  const { leaves, lexicon } = leafLexiconOf([top, fridges])
  assert.deepEqual(leaves, [fridges])
  const score = (siteId: SiteId, title: string) => {
    const scoreInput = {
      title: lexicon.read(title),
      trust: lexicon.computeTrust(phraseTrustOn(siteId)),
    }
    const scores = new Float64Array(1)
    lexicon.scoreCategories(scoreInput, { categories: new Int32Array(1), scores })
    return scores[0] as number
  }
  // Each is one word that one saying has: only trust tells them apart.
  const order: [title: string, more: SiteId, less: SiteId][] = [
    ['heladera', 'MLA', 'MLM'],
    ['heladera', 'MPY', 'MLB'],
    ['refrigerador', 'MLM', 'MLB'],
    ['geladeira', 'MLB', 'MLA'],
  ]
  for (const [title, more, less] of order) {
    assert.ok(score(more, title) > score(less, title), `${title}: ${more} before ${less}`)
  }
  assert.ok(score('MLA', 'heladera') > score('MLA', 'refrigerador'))
  // Said in both languages alike.
  assert.equal(score('MLA', 'frigobar'), score('MLB', 'frigobar'))
  // The name of the category above counts less than any of its own.
  assert.ok(score('MLA', 'electrodomestico') > 0)
  assert.ok(score('MLA', 'electrodomestico') < score('MLA', 'geladeira') / 2)
})

test('what people call a category leads to each that hangs below it, where nothing hangs lower', () => {
  const above = { ...top, aliases: [{ text: 'linea blanca', sites: ['MLA'] as const }] }
  const homes = category('homes', {
    parent: 'top',
    domain: null,
    names: { es: 'Departamentos', pt: 'Apartamentos', en: 'Apartments' },
    aliases: [{ text: 'depto', sites: ['MLA'] }],
  })
  const names = { es: 'Departamentos en venta', pt: 'Apartamentos à venda', en: 'For sale' }
  const sale = category('sale', { parent: 'homes', names })
  const rent = category('rent', {
    parent: 'homes',
    names: { es: 'Departamentos en alquiler', pt: 'Aluguel', en: 'Rent' },
    aliases: [{ text: 'alquilo', sites: ['MLA'] }],
  })
  const { lexicon } = leafLexiconOf([above, homes, fridges, sale, rent])
  const nearest = (title: string) => {
    const scoreInput = {
      title: lexicon.read(title),
      trust: lexicon.computeTrust(phraseTrustOn('MLA')),
    }
    const scores = new Float64Array(3)
    lexicon.scoreCategories(scoreInput, { categories: new Int32Array(3), scores })
    return [...scores].map((score) => score / Math.max(...scores))
  }
  assert.deepEqual(nearest('depto 3 ambientes'), [0, 1, 1])
  const [fridge, forSale = 1, forRent] = nearest('alquilo depto')
  assert.deepEqual([fridge, forRent], [0, 1])
  assert.ok(forSale > 0 && forSale < 1)
  assert.deepEqual(nearest('linea blanca'), [Number.NaN, Number.NaN, Number.NaN])
})

test('words of categories with thousands below them do not multiply without end', () => {
  const aliases = Array.from({ length: 2_000 }, (_, n) => ({
    text: `p${n}x`,
    sites: ['MLA' as const],
  }))
  const names = { es: 'Cosa', pt: 'Coisa', en: 'Thing' }
  const many = Array.from({ length: 2_000 }, (_, n) => category(`leaf${n}`, { names }))
  const { lexicon } = leafLexiconOf([{ ...top, aliases }, ...many])
  const scoreInput = {
    title: lexicon.read('p7x'),
    trust: lexicon.computeTrust(phraseTrustOn('MLA')),
  }
  const met = lexicon.scoreCategories(scoreInput, {
    categories: new Int32Array(2_000),
    scores: new Float64Array(2_000),
  })
  assert.equal(met, 100)
})

/** The keys of the categories that share a word with a title, the best first, each with its score. */
function rankOn(siteId: SiteId, categories: readonly PredictorCategory[]) {
  const { leaves, lexicon } = leafLexiconOf(categories)
  const trust = lexicon.computeTrust(phraseTrustOn(siteId))
  return (title: string) => {
    const scored = new Int32Array(leaves.length)
    const scores = new Float64Array(leaves.length)
    const count = lexicon.scoreCategories(
      { title: lexicon.read(title), trust },
      { categories: scored, scores },
    )
    return [...scored.subarray(0, count)]
      .sort((a, b) => (scores[b] as number) - (scores[a] as number))
      .map((index) => leaves[index]?.key)
  }
}
const oneName = (name: string) => ({ es: name, pt: name, en: name })
const branch = (key: string, parent: string | null, name: string, more: object = {}) =>
  category(key, { parent, names: oneName(name), domain: null, ...more })
const toolTree = [
  branch('tools', null, 'Herramientas'),
  branch('saws', 'tools', 'Sierras'),
  branch('hand-saws', 'saws', 'De Mão'),
  branch('circular-saws', 'saws', 'Circulares'),
  branch('other-saws', 'saws', 'Otros'),
  branch('drills', 'tools', 'Taladros'),
  branch('hand-drills', 'drills', 'De Mão'),
  branch('bench-drills', 'drills', 'De banco'),
  branch('hand', null, 'Guantes de mano'),
]

test('the name of an ancestor decides between categories with the same name', () => {
  const rank = rankOn('MLB', toolTree)
  assert.equal(rank('sierra de mao bahco')[0], 'hand-saws')
  assert.equal(rank('taladro de mao bahco')[0], 'hand-drills')
})

test('a category that is only called "other" is named by its parent, others below it come later', () => {
  const rank = rankOn('MLA', toolTree)
  assert.equal(rank('sierra bahco')[0], 'other-saws')
  assert.deepEqual(
    new Set(rank('sierra bahco')),
    new Set(['other-saws', 'hand-saws', 'circular-saws']),
  )
  assert.equal(rank('sierra circular')[0], 'circular-saws')
})

test('the name of an ancestor of many categories counts for none of them', () => {
  const many = Array.from({ length: 41 }, (_, n) => branch(`leaf${n}`, 'tools', `Cosa ${n} x${n}y`))
  assert.deepEqual(rankOn('MLA', [toolTree[0] as PredictorCategory, ...many])('herramientas'), [])
  assert.equal(
    rankOn('MLA', [toolTree[0] as PredictorCategory, ...many.slice(1)])('herramientas').length,
    40,
  )
})

test('a part of a name counts nearly as much as the name of a category with one', () => {
  const rank = rankOn('MLA', [
    branch('oil', null, 'Aceite, vinagre y sal'),
    branch('bath-salt', null, 'Jabón sal de baño'),
    branch('vinegar', null, 'Vinagre'),
  ])
  assert.deepEqual(rank('sal fina'), ['oil', 'bath-salt'])
  assert.deepEqual(rank('vinagre de vino'), ['vinegar', 'oil'])
})

test('a category with children is named like a leaf where its settings allow listings and it has a domain', () => {
  const settings = { listing_allowed: true }
  const trees: [more: object, first: string][] = [
    [{ domain: 'SAWS', settings }, 'saws'],
    [{ domain: null, settings }, 'other-saws'],
    [{ domain: null }, 'other-saws'],
    [{ domain: 'SAWS' }, 'other-saws'],
  ]
  for (const [more, first] of trees) {
    const tree = toolTree.map((entry) => (entry.key === 'saws' ? { ...entry, ...more } : entry))
    assert.equal(rankOn('MLA', tree)('sierras bahco')[0], first, JSON.stringify(more))
    assert.equal(rankOn('MLA', tree)('sierra circular')[0], 'circular-saws')
  }
})
