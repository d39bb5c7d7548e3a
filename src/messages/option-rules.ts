import type { GuideCaps, GuideOption } from '../kernel/guide-options.ts'
import { guideOptions } from '../kernel/guide-options.ts'
import { type SiteId, siteIds } from '../kernel/sites.ts'
import type { ConversationRecord } from './conversation.ts'
import type { ConversationSale } from './sale.ts'
import { type GuidedMode, guidedMode, guidedModes } from './sale.ts'

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

/** Returns the options of a sale, used up or not. Empty when the sale needs no guide. */
export function offeredOptions(sale: Pick<ConversationSale, 'siteId' | 'shipment'>): GuideOption[] {
  const mode = guidedMode(sale)
  return guideOptions.filter((option) => {
    const { sites, modes } = optionRuleOf(option)
    return mode !== null && modes.includes(mode) && sites.includes(sale.siteId)
  })
}

/** Returns how often an option may still be used in this conversation. */
export function remainingUsesOf(
  option: GuideOption,
  spent: ConversationRecord['spent'],
  caps: GuideCaps,
): number {
  return Math.max(0, caps[option] - (spent[option] ?? 0))
}

/** Returns whether the seller may still send an option. */
export function hasOptionsLeft(
  sale: ConversationSale,
  spent: ConversationRecord['spent'],
  caps: GuideCaps,
): boolean {
  return offeredOptions(sale).some((option) => remainingUsesOf(option, spent, caps) > 0)
}
