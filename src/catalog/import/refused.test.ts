import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CatalogRows,
  catalogDraftOf,
  changedCatalog,
  type EditableCatalogRows,
} from '../../../test/harness/catalog-files.ts'
import { contract } from '../../../test/harness/contract.ts'
import type { CategoryNumber } from './numbers.ts'
import { formatProblem, Problems } from './problems.ts'
import { limits } from './rows.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const long = new Date('2025-01-01T00:00:00.000Z')
const recordedNumbers: CategoryNumber[] = [
  { key: 'el', number: 1411, dateCreated: long },
  { key: 'gone', number: 7, dateCreated: long },
  { key: 'late', number: 1_000_004, dateCreated: long },
]

function problemsOf(files: Partial<CatalogRows>): string[] {
  const finished = catalogDraftOf(files).build(recordedNumbers, now)
  return finished instanceof Problems ? finished.all.map(formatProblem) : []
}

const names = { es: 'x', pt: 'x', en: 'x' }

const cases: [
  what: string,
  change: (files: EditableCatalogRows) => void,
  says: (string | RegExp)[],
][] = [
  [
    'a circle of three',
    (files) => {
      files.categories.push({ key: 'a', parent: 'c', names }, { key: 'b', parent: 'a', names })
      files.categories.push({ key: 'c', parent: 'b', names })
    },
    ['categories, line 5, parent: expected no circle: a below c below b below a'],
  ],
  [
    'a category below itself, with one below it',
    (files) => {
      files.categories.push({ key: 'a', parent: 'a', names })
      files.categories.push({ key: 'b', parent: 'a', names, domain: 'BOOKS' })
    },
    ['categories, line 5, parent: expected no circle: a below a'],
  ],
  [
    'an orphan',
    (files) => files.categories.push({ key: 'a', parent: 'nobody', names, domain: 'BOOKS' }),
    ['categories, line 5, parent: expected a category of this file, it has no "nobody"'],
  ],
  [
    'a key twice',
    (files) => files.categories.push({ ...files.categories[1] }),
    ['categories, line 5, key: expected another one, line 2 has "own-tv" already'],
  ],
  [
    'a number twice',
    (files) => {
      files.categories[1].number = 55
      files.categories[2].number = 55
    },
    ['categories, line 3, number: expected a number of its own, 55 is that of "own-tv"'],
  ],
  [
    'another number for a key that has one',
    (files) => {
      files.categories[0].number = 55
    },
    ['categories, line 1, number: expected 1411, which el has had from the beginning'],
  ],
  [
    'the number of a category that is gone',
    (files) => {
      files.categories[1].number = 7
    },
    ['categories, line 2, number: expected a number of its own, 7 is that of "gone"'],
  ],
  [
    'ids of attributes and domains twice',
    (files) => {
      files.attributes.push({ ...files.attributes[0] })
      files.domains.push({ ...files.domains[2] })
    },
    [
      'attributes, line 3, id: expected another one, line 1 has "BRAND" already',
      'domains, line 4, id: expected another one, line 3 has "BOOKS" already',
    ],
  ],
  [
    'values and attributes twice in one list',
    (files) => {
      files.attributes[1].values.push(files.attributes[1].values[0])
      files.domains[0].attributes.push({ id: 'COLOR' })
    },
    [
      'attributes, line 2, values[1].id: expected each id once',
      'domains, line 1, attributes[2].id: expected each id once',
    ],
  ],
  [
    'a leaf without a domain, a parent with one',
    (files) => {
      files.categories[0].domain = 'BOOKS'
      files.categories[3].domain = undefined
    },
    [
      'categories, line 1, domain: expected none, others hang below this category and listings go there',
      'categories, line 4, domain: expected a domain, listings go into this category',
    ],
  ],
  [
    'domains and attributes that there are not',
    (files) => {
      files.categories[1].domain = 'SPOONS'
      files.domains[0].attributes.push({ id: 'WEIGHT' })
    },
    [
      'categories, line 2, domain: expected a domain of this catalogue, it has no "SPOONS"',
      'domains, line 1, attributes[2].id: expected an attribute of this catalogue, it has no "WEIGHT"',
    ],
  ],
  [
    'a setting that there is not, and one of a wrong type',
    (files) => {
      files.categories[1].settings = { max_title_lenght: 60 }
      files.categories[2].settings = { max_title_length: 'sixty' }
      files.categories[3].settings = { price: 'maybe' }
    },
    [
      'categories, line 2, settings.max_title_lenght: expected no such field',
      'categories, line 3, settings.max_title_length: expected integer',
      'categories, line 4, settings.price: expected one of required, mandatory, optional, not_allowed',
    ],
  ],
  [
    'sites, verticals, kinds of values and hierarchies that there are not',
    (files) => {
      files.categories[1].aliases = [{ text: 'tele', sites: ['MXX'] }]
      files.categories[3].vertical = 'cars'
      files.attributes[0].value_type = 'text'
      files.domains[0].attributes[0].hierarchy = 'TOP'
    },
    [
      /^categories, line 2, aliases\[0\]\.sites\[0\]: expected one of es, pt, MLU/,
      'categories, line 4, vertical: expected one of core, real_estate, motors, services',
      /^attributes, line 1, value_type: expected one of string, number/,
      /^domains, line 1, attributes\[0\]\.hierarchy: expected one of PARENT_PK/,
    ],
  ],
  [
    'a name that is missing in a language, blank, or not of one line',
    (files) => {
      files.categories[0].names = { es: 'x', en: 'x' }
      files.categories[1].names = { ...names, pt: ' ' }
      files.categories[2].names = { ...names, es: 'a\u0007b' }
      files.attributes[0].names = { ...names, en: 'a\nb' }
      files.domains[0].names = { es: 'x', pt: 'a\0b' }
    },
    [
      'categories, line 1, names.pt: expected a value, this field is required',
      'categories, line 2, names.pt: expected text without control characters or marks that turn the direction of writing, and not blank',
      'categories, line 3, names.es: expected text without control characters or marks that turn the direction of writing, and not blank',
      'attributes, line 1, names.en: expected text without control characters or marks that turn the direction of writing, and not blank',
      'domains, line 1, names.pt: expected valid Unicode text without NUL',
    ],
  ],
  [
    'what is too long',
    (files) => {
      files.categories[0].names = { ...names, es: 'x'.repeat(201) }
      files.categories[1].key = 'k'.repeat(65)
      files.domains[0].id = 'D'.repeat(121)
    },
    [
      'categories, line 1, names.es: expected at most 200 characters',
      /^categories, line 2, key: expected text that matches/,
      /^domains, line 1, id: expected text that matches/,
    ],
  ],
  [
    'lines that are not JSON, no objects, or say what is no field',
    (files) => {
      files.categories.push('{"key":', '[]', 'null', '"x"', { key: 'z', names, colour: 'red' })
      files.attributes.push('{"__proto__":{"x":1}}')
    },
    [
      'categories, line 5, line: expected valid JSON',
      'categories, line 6, line: expected a JSON object',
      'categories, line 7, line: expected a JSON object',
      'categories, line 8, line: expected a JSON object',
      'categories, line 9, colour: expected no such field',
      /^attributes, line 3, __proto__: expected no such field|^attributes, line 3, id: expected/,
    ],
  ],
  [
    'units and values where there can be none, and none where there must be',
    (files) => {
      files.attributes.push({ id: 'W', names, value_type: 'number_unit', group: 'MAIN' })
      files.attributes[0].units = ['cm']
      const values = [{ id: 'Y', names: { es: 'x', pt: 'x' } }]
      files.attributes.push({ id: 'B', names, value_type: 'boolean', group: 'MAIN', values: [] })
      files.attributes.push({ id: 'C', names, value_type: 'boolean', group: 'MAIN', values })
    },
    [
      'attributes, line 1, units: expected none, a string is not measured',
      'attributes, line 3, units: expected one unit at least, of a number_unit',
      'attributes, line 5, values: expected none, a boolean is yes or no',
    ],
  ],
  [
    'too many levels',
    (files) => {
      for (let level = 1; level <= 12; level++) {
        const parent = level === 1 ? {} : { parent: `l${level - 1}` }
        const domain = level === 12 ? { domain: 'BOOKS' } : {}
        files.categories.push({ key: `l${level}`, names, ...parent, ...domain })
      }
    },
    ['categories, line 15, parent: expected at most 10 levels of categories'],
  ],
  [
    'files without a line, or that are not there',
    (files) => {
      files.categories = []
      Object.assign(files, { domains: undefined })
    },
    [
      'categories, file: expected one category at least',
      'domains, file: expected a file of this name',
    ],
  ],
]

for (const [what, change, says] of cases) {
  contract('2.13', `${what}: refused by file, line and field`, () => {
    const problems = problemsOf(changedCatalog(change))
    assert.equal(problems.length, says.length, problems.join('\n'))
    for (const [index, expected] of says.entries()) {
      if (typeof expected === 'string') assert.equal(problems[index], expected)
      else assert.match(problems[index] ?? '', expected)
    }
  })
}

test('blank lines count, so that a line is named as an editor shows it', () => {
  const files = changedCatalog(({ categories }) => categories.splice(1, 0, '', '  '))
  files.categories.push({ key: 'a', parent: 'b', names, domain: 'BOOKS' })
  assert.match(problemsOf(files)[0] ?? '', /^categories, line 7, parent/)
})

test('a hundred problems are told, and how many there are', () => {
  const files = changedCatalog(({ categories }) => {
    for (let n = 0; n < 150; n++)
      categories.push({ key: `k${n}`, parent: 'x', names, domain: 'BOOKS' })
  })
  const finished = catalogDraftOf(files).build(recordedNumbers, now)
  assert.ok(finished instanceof Problems)
  assert.deepEqual([finished.all.length, finished.count], [100, 150])
})

test('what refers to a file with unreadable lines is not judged by it', () => {
  const files = changedCatalog(({ domains }) => {
    domains[2] = '{"id":"BOOKS",'
  })
  assert.deepEqual(problemsOf(files), ['domains, line 3, line: expected valid JSON'])
})

test('a file has so many lines and no more', () => {
  const files = changedCatalog(({ domains }) => {
    while (domains.length < limits.domains + 2) {
      domains.push({ id: `D${domains.length}`, names: { es: 'x', pt: 'x' }, attributes: [] })
    }
  })
  assert.deepEqual(problemsOf(files), [
    `domains, line ${limits.domains + 1}, file: expected at most ${limits.domains} lines`,
    `domains, line ${limits.domains + 2}, file: expected at most ${limits.domains} lines`,
  ])
})
