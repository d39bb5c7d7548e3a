import type { GuideOption } from '../../kernel/guide-options.ts'
import { type SiteId, siteIds } from '../../kernel/sites.ts'
import { type GuidedMode, guidedModes } from '../sale.ts'

export interface OptionRule {
  type: 'template' | 'free_text'
  sites: readonly SiteId[]
  modes: readonly GuidedMode[]
  /** What the seller fills in; null for nothing. */
  vars: readonly ['INIT', 'LIMIT'] | null
  /** For integrators. */
  description: string
}

/**
 * Which reason to write exists where (contract 2.9 and 4.1, wire 3). The two that the seller words
 * exist on every site, so that no seller who must begin with the guide finds it empty.
 */
export const matrix = {
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

/** The options whose words are the marketplace's. */
export type TemplateOption = {
  [K in GuideOption]: (typeof matrix)[K]['type'] extends 'template' ? K : never
}[GuideOption]

export function ruleOf(option: GuideOption): OptionRule {
  return matrix[option]
}
