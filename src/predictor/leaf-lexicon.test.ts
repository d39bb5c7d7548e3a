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
  assert.equal(score('MLA', 'electrodomestico'), 0)
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
