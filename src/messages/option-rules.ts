import type { GuideOption } from '../kernel/guide-options.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import { type GuidedMode, guidedModes } from './sale.ts'

export interface OptionRule {
  type: 'template' | 'free_text'
  sites: readonly SiteId[]
  modes: readonly GuidedMode[]
  /** Variables that the seller fills in, or null. */
  vars: readonly ['INIT', 'LIMIT'] | null
  /** Shown to integrators as `internal_description`. */
  description: string
}

/**
 * Sites and shipping modes of each option. The free-text options exist on every site, so that the guide is never
 * empty for a seller who must use it.
 */
export const optionRules = {
  REQUEST_VARIANTS: {
    type: 'template',
    sites: ['MLA', 'MLB', 'MLM', 'MCO', 'MLC'],
    modes: ['cross_docking', 'drop_off'],
    vars: null,
    description: 'Asks the buyer for details of the product: colour, size, model.',
  },
  REQUEST_BILLING_INFO: {
    type: 'template',
    sites: ['MLA', 'MLM', 'MCO', 'MLU'],
    modes: guidedModes,
    vars: null,
    description: 'Asks the buyer for what an invoice needs.',
  },
  SEND_INVOICE_LINK: {
    type: 'free_text',
    sites: siteIds,
    modes: guidedModes,
    vars: null,
    description: 'Sends the buyer the link to the invoice, in words of the seller.',
  },
  DELIVERY_PROMISE: {
    type: 'template',
    sites: ['MLA', 'MLB', 'MCO', 'MLC', 'MLU'],
    modes: ['flex'],
    vars: ['INIT', 'LIMIT'],
    description: 'Promises the buyer between which hours the seller delivers.',
  },
  OTHER: {
    type: 'free_text',
    sites: siteIds,
    modes: guidedModes,
    vars: null,
    description: 'Anything else, in words of the seller.',
  },
} as const satisfies Record<GuideOption, OptionRule>

/** Options whose text the marketplace wrote. */
export type TemplateOption = {
  [K in GuideOption]: (typeof optionRules)[K]['type'] extends 'template' ? K : never
}[GuideOption]

export function optionRuleOf(option: GuideOption): OptionRule {
  return optionRules[option]
}
