import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runWithoutPauses } from '../../kernel/slices.ts'
import { Dictionary } from '../search/words/dictionary.ts'
import { queryWords, titleWords } from '../search/words/words.ts'
import { SuggestionBuilder } from './builder.ts'
import type { CategoryWords } from './category-words.ts'
import type { ListedTitle } from './store.ts'
import type { SuggestionIndex } from './suggestion-index.ts'
import { parseTypedText } from './typed-text.ts'

type TestTitle = string | Partial<ListedTitle>

interface TestSite {
  index: SuggestionIndex
  dictionary: Dictionary
}

function siteOf(titles: readonly TestTitle[], categories: readonly CategoryWords[] = []): TestSite {
  const builder = new SuggestionBuilder()
  const counts = new Map<string, number>()
  for (const title of titles) {
    const listed = { title: '', category: 1, tier: 3 as const }
    const listing = typeof title === 'string' ? { ...listed, title } : { ...listed, ...title }
    runWithoutPauses(builder.add(listing))
    for (const word of titleWords(listing.title)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const dictionary = new Dictionary()
  dictionary.setCounts([...counts].map(([word, n]) => ({ word, n })))
  return { index: runWithoutPauses(builder.build(categories)), dictionary }
}

function suggest({ index, dictionary }: TestSite, q: string, limit = 6): string[] {
  return [...index.suggest(parseTypedText(q), limit, dictionary)]
    .slice(0, limit)
    .map(({ text }) => text)
}

/** Returns the suggestions with brackets around the part that was typed. */
function marked({ index, dictionary }: TestSite, q: string): string[] {
  return [...index.suggest(parseTypedText(q), 6, dictionary)].map(
    ({ text, matchStart, matchEnd }) =>
      `${text.slice(0, matchStart)}[${text.slice(matchStart, matchEnd)}]${text.slice(matchEnd)}`,
  )
}

const times = (n: number, title: string) => Array.from({ length: n }, () => title)

const market = siteOf(
  [
    ...times(9, 'Celular Samsung Galaxy S23 128 GB'),
    ...times(5, 'Celular Motorola Moto G'),
    ...times(2, 'Celular Motorola Edge'),
    ...times(3, 'Funda para celular Samsung'),
    ...times(4, 'Heladera Samsung No Frost'),
    ...times(3, 'Camión de juguete'),
    'Camion volcador',
    ...times(2, 'Zapatillas Nike Running'),
    'Zapatilla Nike Urbana Negra Talle 42',
    'iPhone 15 Pro',
    ...times(6, 'Air Fryer Philips'),
    'Lámpara de mesa',
    "Jeans Levi's 501",
  ].map((title) => ({ title, category: title.startsWith('Heladera') ? 2 : 1 })),
  [
    {
      categories: [2],
      names: ['Heladeras y freezers', 'Heladeras', 'freezers'],
      others: ['nevera'],
    },
    { categories: [3], names: ['Drones'], others: ['cuadricoptero'] },
  ],
)

const completions: [why: string, typed: string, expected: string[]][] = [
  [
    'the last word is completed',
    'hela',
    ['[hela]dera', '[hela]dera samsung', '[hela]dera samsung no frost'],
  ],
  [
    'accents and case do not matter',
    'CAMION',
    ['[camión]', '[camión] de juguete', '[camión] volcador'],
  ],
  ['accents that are typed do not matter', 'lámp', ['[lámp]ara', '[lámp]ara de mesa']],
  ['words after a complete one', 'camión ', ['[camión] de juguete', '[camión] volcador']],
  ['all words before must match', 'motorola gal', []],
  ['a function word is completed with the next', 'camion d', ['[camión d]e juguete']],
  ['spaces do not matter', '   camion   de   jug', ['[camión de jug]uete']],
  ['control characters are spaces', 'camion\u0000de\tjug', ['[camión de jug]uete']],
  ['a plural matches', 'camiones volc', ['[camión volc]ador']],
  ['models keep their numbers', 'iphone 1', ['[iphone 1]5', '[iphone 1]5 pro']],
  [
    'an apostrophe may be left out',
    'levis',
    ["[levi's]", "[levi's] 501", "jeans [levi's]", "jeans [levi's] 501"],
  ],
  [
    'a slip in the last word',
    'heladwr',
    ['[helader]a', '[helader]a samsung', '[helader]a samsung no frost'],
  ],
  ['a slip in a word before', 'camoin jug', ['[camión de jug]uete']],
  ['sizes that were typed must be in the title', 'celular 128gb gal', ['[celular 128gb gal]axy']],
  ['a size of no such title', 'celular 64gb gal', []],
  ['another word for a category', 'neve', ['[]heladera']],
  ['a category without listings', 'cuadri', []],
  ['nothing that is like it', 'xqwzy', []],
  ['no word', '!!!', []],
  ['nothing', '', []],
]
for (const [why, typed, expected] of completions) {
  test(`${why}: “${typed}” is completed with ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(marked(market, typed), expected)
  })
}

test('the most useful come first: what most listings have, and what sells', () => {
  assert.deepEqual(suggest(market, 'celular ').slice(0, 2), ['celular samsung', 'celular motorola'])
  const tiers = siteOf([
    ...times(3, 'Mesa plegable'),
    { title: 'Mesa ratona', tier: 0 },
    ...times(2, 'Mesa extensible'),
  ])
  assert.deepEqual(suggest(tiers, 'mesa ').slice(0, 3), [
    'mesa ratona',
    'mesa plegable',
    'mesa extensible',
  ])
})

test('brand and goods are completed in both orders', () => {
  assert.equal(suggest(market, 'celular sam')[0], 'celular samsung')
  assert.equal(suggest(market, 'samsung cel')[0], 'samsung celular')
  assert.equal(suggest(market, 'samsung hel')[0], 'samsung heladera')
})

test('a suggestion is there once, apart from case, accents, plural and order', () => {
  const site = siteOf([
    'CAMIÓN Rojo',
    'camion rojo',
    'Camiones rojos',
    'Camión roja',
    'Rojo camión',
  ])
  assert.deepEqual(suggest(site, 'cam'), ['camión', 'camión rojo'])
})

test('words are written with accents when a fair share of titles do', () => {
  assert.deepEqual(suggest(siteOf(['Camion', 'Camion', 'Camión']), 'cam'), ['camión'])
  assert.deepEqual(suggest(siteOf([...times(9, 'Camion'), 'Camión']), 'cam'), ['camion'])
})

test('a part of a longer phrase is no suggestion', () => {
  assert.deepEqual(suggest(market, 'air'), ['air fryer philips', 'air'])
})

test('names of categories count more than other phrases', () => {
  const titles = [...times(2, 'Mesa ratona'), ...times(3, 'Mesa extensible')]
  assert.equal(suggest(siteOf(titles), 'mesa ')[0], 'mesa extensible')
  const named = siteOf(titles, [{ categories: [1], names: ['Mesas ratonas'], others: [] }])
  assert.equal(suggest(named, 'mesa ')[0], 'mesa ratona')
})

const contacts = ['ana@example.com', '11 5555-4444', '+54 9 11 5555 4444', 'www.example.com']
for (const contact of contacts) {
  test(`${contact} of a title is in no suggestion`, () => {
    const site = siteOf(times(3, `Sillas ${contact} Comedor`))
    for (const q of ['s', 'sillas ', 'ana', 'exam', 'gm', 'www', '5', '11', '54', 'sillas 1']) {
      for (const text of suggest(site, q)) assert.match(text, /^(sillas|comedor|sillas comedor)$/)
    }
  })
}

test('what nobody sells is not suggested: every suggestion is found in a title', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        'mesa',
        'Mesas',
        'de',
        'luz',
        'camión',
        'CAMION',
        'caminhões',
        "levi's",
        "d'agua",
        '128',
        'gb',
      ],
      ...[
        '15',
        'x',
        '3',
        'l',
        '1,5',
        '32"',
        'wh-1000xm4',
        '4k',
        'pack',
        'talle',
        '-',
        '/',
        '+',
        'a@b.co',
      ],
      ...[
        '11 5555-4444',
        'áéfoo.com',
        's23+',
        'hp',
        'кофе',
        '한국',
        'ﬁn',
        'İstanbul',
        'e\u0301l',
        'q\u0301',
      ],
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  const title = fc
    .array(fc.tuple(piece, fc.constantFrom(' ', ' ', ' ', '-', ', ', '')), { maxLength: 8 })
    .map((pieces) => pieces.flat().join(''))
  fc.assert(
    fc.property(
      fc.array(title, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.nat({ max: 30 }),
      (titles, pick, length) => {
        const site = siteOf(titles)
        const typed = [...(titles[pick % titles.length] as string)].slice(0, length).join('')
        const seen = new Set<string>()
        for (const q of [typed, `${typed} `, typed.toUpperCase()]) {
          seen.clear()
          for (const suggestion of site.index.suggest(parseTypedText(q), 6, site.dictionary)) {
            const { text, matchStart, matchEnd } = suggestion
            const stems = queryWords(`${text} `).map(({ stem }) => stem)
            const isFound = titles.some((each) => {
              const words = titleWords(each)
              return stems.every((stem) => words.includes(stem))
            })
            assert.ok(stems.length > 0 && isFound, `“${text}” for “${q}”`)
            assert.ok(0 <= matchStart && matchStart <= matchEnd && matchEnd <= text.length)
            assert.ok(!seen.has([...stems].sort().join(' ')), `“${text}” twice`)
            seen.add([...stems].sort().join(' '))
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})

const denials = siteOf([
  ...times(9, 'Yerba con palo'),
  ...times(3, 'Yerba sin palo'),
  ...times(3, 'Yerba suave'),
  ...times(3, 'Pan de molde sin gluten'),
  ...times(5, 'Pan integral con semillas'),
  ...times(4, 'Leche limpiadora'),
])

for (const [typed, suggestions] of Object.entries({
  'yerba sin palo': ['yerba sin palo'],
  'yerba sin p': ['yerba sin palo'],
  'yerba sin ': ['yerba sin palo'],
  'pan sin glu': ['pan de molde sin gluten'],
  'leche sin l': [],
  'yerba con p': ['yerba con palo'],
})) {
  test(`what is denied is in all suggestions, and denied there: ${typed}`, () => {
    assert.deepEqual(suggest(denials, typed).slice(0, 1), suggestions)
  })
}
