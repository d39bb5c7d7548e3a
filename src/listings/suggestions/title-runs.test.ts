import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phrasesOf, titleRuns } from './title-runs.ts'

const runs: [title: string, runs: string[]][] = [
  ['Celular Samsung Galaxy S23 128 GB', ['celular samsung galaxy s23']],
  ['iPhone 15 Pro Max 256gb', ['iphone 15 pro max']],
  ['Camión de juguete, rojo', ['camión de juguete', 'rojo']],
  ['Zapatillas Running Talle 42', ['zapatillas running']],
  ['Pack x 3 Remeras', ['pack x', 'remeras']],
  ['Pack 12 botellas', ['pack', 'botellas']],
  ['Mesa de noche 2 cajones', ['mesa de noche', 'cajones']],
  ['Botella 1,5 l térmica', ['botella', 'térmica']],
  ['Tv 32" Smart 4k', ['tv', 'smart 4k']],
  ['Wi-Fi repetidor', ['wi fi repetidor']],
  ["Jeans Levi's 501", ["jeans levi's 501"]],
  ['Heladera NUEVA envio gratis', ['heladera']],
  ['Lã para tricô', ['lã para tricô']],
  ['12345 tornillos', ['tornillos']],
  ['Sillas ana@example.com comedor', ['sillas', 'comedor']],
  ['Sillas 11 5555-4444 comedor', ['sillas', 'comedor']],
  ['Sillas (011) 4555 4444 comedor', ['sillas', 'comedor']],
  ['Sillas www.example.com.ar comedor', ['sillas', 'comedor']],
  ['Sillas https://example.com/a comedor', ['sillas', 'comedor']],
  ['abc12345678 mesa', ['abc12345678 mesa']],
  ['!!! — 42', []],
]
for (const [title, expected] of runs) {
  test(`“${title}” has the runs ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(
      titleRuns(title).map((run) => run.map(({ text }) => text).join(' ')),
      expected,
    )
  })
}

test('phrases have up to four words, and function words only between them', () => {
  const [run = []] = titleRuns('Mesa de luz para dormitorio infantil moderno')
  const phrases = [...phrasesOf(run)].map((phrase) => phrase.map(({ text }) => text).join(' '))
  assert.deepEqual(phrases.slice(0, 4), [
    'mesa',
    'mesa de luz',
    'mesa de luz para dormitorio',
    'mesa de luz para dormitorio infantil',
  ])
  assert.ok(phrases.includes('luz para dormitorio infantil moderno'))
  for (const phrase of phrases) assert.doesNotMatch(phrase, /^(de|para)\b|\b(de|para)$/)
})

test('a long title is read up to its last whole word', () => {
  const title = `${'mesa '.repeat(59)}dormitorio`
  assert.ok(title.length > 300)
  for (const { text } of titleRuns(title).flat()) assert.equal(text, 'mesa')
})
