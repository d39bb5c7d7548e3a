import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strictInterpretation } from './interpretations.ts'
import { relevanceOf } from './relevance.ts'
import { Dictionary } from './words/dictionary.ts'
import { queryWords, titleSequence } from './words/words.ts'

/** Returns the titles, the most relevant for a query first. */
function ranked(query: string, titles: readonly string[]): string[] {
  const interpretation = strictInterpretation({
    words: queryWords(query, 'es'),
    dictionary: new Dictionary(),
    synonyms: { alternativesAt: () => [] },
    categoriesOf: () => [],
  })
  const scoreOf = (title: string) => {
    const words = titleSequence(title, 'es').join(' ')
    const listing = { words, category: 1, sellerId: 1, standing: 0 }
    return relevanceOf(listing, interpretation, new Map()).score
  }
  return titles.toSorted((a, b) => scoreOf(b) - scoreOf(a))
}

const orders: readonly [query: string, titles: readonly string[]][] = [
  ['agua sin gas', ['Agua sin gas', 'Agua mineral', 'Agua con gas']],
  ['leche con lactosa', ['Leche con lactosa', 'Leche', 'Leche sin lactosa']],
  ['pan sin sal', ['Pan sin sal', 'Pan blanco', 'Paño', 'Pan con sal']],
  ['paño', ['Paño', 'Pan']],
  ['pan', ['Panes', 'Paño']],
  ['pimienta negra', ['Pimienta negra', 'Pimienta negro', 'Pimiento negro']],
  ['funda celular', ['Funda celular', 'Soporte con funda celular', 'Soporte para funda celular']],
]

for (const [query, titles] of orders) {
  test(`results stand in this order for ${query}: ${titles.join(', ')}`, () => {
    assert.deepEqual(ranked(query, titles.toReversed()), titles)
  })
}
