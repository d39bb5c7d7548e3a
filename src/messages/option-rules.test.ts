import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { fileURLToPath } from 'node:url'
import { contract } from '../../test/harness/contract.ts'
import { defaultGuideCaps, guideFacts } from '../../test/harness/guide.ts'
import { type GuideOption, guideOptions } from '../kernel/guide-options.ts'
import { shippingModes } from '../kernel/shipping-modes.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { logisticTypes } from '../shipments/shipment.ts'
import { offeredOptions, optionRuleOf } from './option-rules.ts'

const six = 'MLA MLB MLM MCO MLC MLU'
/** The matrix of the contract, word for word. */
const sitesOf: Readonly<Record<GuideOption, string>> = {
  REQUEST_VARIANTS: 'MLA MLB MLM MCO MLC',
  REQUEST_BILLING_INFO: 'MLA MLM MCO MLU',
  SEND_INVOICE_LINK: six,
  DELIVERY_PROMISE: 'MLA MLB MCO MLC MLU',
  OTHER: six,
}
/** The shipping modes of the contract, as logistic types. */
const typesOf: Readonly<Record<GuideOption, string>> = {
  REQUEST_VARIANTS: 'cross_docking xd_drop_off drop_off',
  REQUEST_BILLING_INFO: 'cross_docking xd_drop_off drop_off fulfillment self_service',
  SEND_INVOICE_LINK: 'cross_docking xd_drop_off drop_off fulfillment self_service',
  DELIVERY_PROMISE: 'self_service',
  OTHER: 'cross_docking xd_drop_off drop_off fulfillment self_service',
}
const has = (words: string, word: string) => words.split(' ').includes(word)

contract(
  ['2.9', '4.1', 'messages'],
  'each of the six sites has its options, by how the sale is sent',
  () => {
    for (const site of six.split(' ') as SiteId[]) {
      for (const type of logisticTypes) {
        const expected = guideOptions.filter(
          (option) => has(sitesOf[option], site) && has(typesOf[option], type),
        )
        assert.deepEqual(
          offeredOptions(guideFacts({ site, type }).sale),
          expected,
          `${site} ${type}`,
        )
      }
    }
  },
)

contract(['4.1', 'messages'], 'on every other site a seller begins in words of their own', () => {
  const others = siteIds.filter((site) => !has(six, site))
  assert.equal(others.length, 14)
  for (const site of others) {
    for (const type of logisticTypes) {
      const expected = has(typesOf.OTHER, type) ? ['SEND_INVOICE_LINK', 'OTHER'] : []
      assert.deepEqual(offeredOptions(guideFacts({ site, type }).sale), expected, `${site} ${type}`)
    }
  }
})

contract('4.1', 'a sale that is sent in any other way has no options', () => {
  assert.deepEqual(offeredOptions(guideFacts({ type: null }).sale), [])
  for (const mode of shippingModes.filter((candidate) => candidate !== 'me2')) {
    for (const type of [null, 'default'] as const) {
      assert.deepEqual(offeredOptions(guideFacts({ mode, type }).sale), [], `${mode} ${type}`)
    }
  }
})

contract(
  ['2.9', 'messages'],
  'docs/api/action-guide.md has every option with its type, sites, modes and cap',
  () => {
    const file = fileURLToPath(new URL('../../docs/api/action-guide.md', import.meta.url))
    const documented = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^\| `[A-Z_]+` \|/.test(line) && !line.includes('TEMPLATE___'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
    const rules = guideOptions.map((option) => {
      const { type, sites, modes } = optionRuleOf(option)
      return [
        `\`${option}\``,
        type,
        sites.length === siteIds.length ? 'all' : sites.join(', '),
        modes.length === 4 ? 'all four' : modes.join(', '),
        String(defaultGuideCaps[option]),
      ]
    })
    assert.deepEqual(documented, rules)
  },
)
