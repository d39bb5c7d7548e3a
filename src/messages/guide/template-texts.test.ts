import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { fileURLToPath } from 'node:url'
import { contract } from '../../../test/harness/contract.ts'
import { guideOptions } from '../../kernel/guide-options.ts'
import { siteIds, sites } from '../../kernel/sites.ts'
import { optionRuleOf, type TemplateOption } from '../option-rules.ts'
import { maxMessageLengths } from '../text.ts'
import { promisedDayTexts } from './template-texts.ts'
import { fillTemplate, templatesOf } from './templates.ts'

const all = guideOptions.flatMap((option) =>
  siteIds.flatMap((site) =>
    templatesOf(option, site).map((template) => ({ ...template, option, site })),
  ),
)

/** What each must ask, site by site. */
const expectedPatterns: Readonly<
  Record<TemplateOption, Readonly<Record<string, readonly RegExp[]>>>
> = {
  REQUEST_VARIANTS: {
    MLA: [/opciones del producto/, /\bcolor\b/, /\btalle\b/],
    MLB: [/opções do produto/, /\bcor\b/, /\btamanho\b/],
    MLM: [/opciones del producto/, /\bcolor\b/, /\btalla\b/],
    MCO: [/opciones del producto/, /\bcolor\b/, /\btalla\b/],
    MLC: [/opciones del producto/, /\bcolor\b/, /\btalla\b/],
  },
  REQUEST_BILLING_INFO: {
    MLA: [/nombre/, /DNI/, /domicilio/, /código postal/],
    MLM: [/nombre/, /RFC/, /domicilio/, /código postal/],
    MCO: [
      /nombre/,
      /tipo y número de documento/,
      /correo electrónico/,
      /dirección/,
      /código postal/,
      /código de municipio/,
      /código de departamento/,
    ],
    MLU: [/nombre/, /número de cédula de identidad/],
  },
  DELIVERY_PROMISE: Object.fromEntries(
    ['MLA', 'MLB', 'MCO', 'MLC', 'MLU'].map((site) => [site, [/\{day\}.*\{initial\}.*\{final\}/]]),
  ),
}

contract('2.9', 'every template asks on every site what it must ask, and is nowhere else', () => {
  const places = (list: readonly { option: string; site: string }[]) =>
    list.map(({ option, site }) => `${option} ${site}`).sort()
  const expected = Object.entries(expectedPatterns).flatMap(([option, bySite]) =>
    Object.keys(bySite).map((site) => ({ option, site })),
  )
  assert.deepEqual(places(all), places(expected))
  for (const { option, site, text } of all) {
    for (const words of expectedPatterns[option as TemplateOption][site] ?? [])
      assert.match(text, words)
  }
})

contract('2.9', 'a template is where its option is, under an id of the fixed pattern', () => {
  for (const option of guideOptions) {
    const { type, sites: where } = optionRuleOf(option)
    for (const site of siteIds) {
      const ids = templatesOf(option, site).map(({ id }) => id)
      const isThere = type === 'template' && where.includes(site)
      assert.deepEqual(ids, isThere ? [`TEMPLATE___${option}___1`] : [], `${option} ${site}`)
    }
  }
})

contract(
  '2.9',
  'texts speak the language of their site: Portuguese in Brazil, else Spanish',
  () => {
    for (const { site, text } of all) {
      const isPortuguese = sites[site].language === 'pt'
      assert.equal(/^Olá!/.test(text), isPortuguese, text)
      assert.equal(/^Hola\./.test(text), !isPortuguese, text)
    }
  },
)

contract(
  '8',
  'every text fits a message: 350 characters of ISO-8859-1, filled at its longest',
  () => {
    for (const { site, text } of all) {
      const words = Object.values(promisedDayTexts[sites[site].language])
      for (const word of words) {
        const day = fillTemplate(word, { date: '30 de septiembre' })
        const whole = fillTemplate(text, { day, initial: 10, final: 23 })
        assert.ok(whole.length <= maxMessageLengths.seller, whole)
        assert.match(whole, /^[\x20-\x7e\xa0-\xff]+$/)
        assert.doesNotMatch(whole, /[{}]/)
      }
    }
  },
)

contract('2.9', 'docs/api/action-guide.md has every text as it is sent', () => {
  const file = fileURLToPath(new URL('../../../docs/api/action-guide.md', import.meta.url))
  const lines = readFileSync(file, 'utf8').split('\n')
  assert.deepEqual(
    // Sites with the same text share a line.
    lines
      .flatMap((line) => {
        const [, template = '', sites = '', text = ''] =
          /^\| (`TEMPLATE___\w+`) \| ([A-Z, ]+) \| (.*) \|$/.exec(line) ?? []
        return template
          ? sites.split(', ').map((site) => `| ${template} | ${site} | ${text} |`)
          : []
      })
      .sort(),
    all.map(({ id, site, text }) => `| \`${id}\` | ${site} | ${text} |`).sort(),
  )
})
