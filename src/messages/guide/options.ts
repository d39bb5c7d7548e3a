import { type GuideCaps, type GuideOption, guideOptions } from '../../kernel/guide-options.ts'
import type { Thread } from '../conversation.ts'
import { guidedMode, type Sale } from '../sale.ts'
import { longest } from '../send/text.ts'
import { ruleOf } from './matrix.ts'
import { promiseWords, templatesOf, templateView } from './templates.ts'

/** The options that a sale has, used up or not; none where no guide is needed. */
export function offeredOptions(sale: Pick<Sale, 'siteId' | 'shipment'>): GuideOption[] {
  const mode = guidedMode(sale)
  return guideOptions.filter((option) => {
    const { sites, modes } = ruleOf(option)
    return mode !== null && modes.includes(mode) && sites.includes(sale.siteId)
  })
}

/** How often an option may still be used in this conversation (contract 2.9). */
export function capOf(option: GuideOption, spent: Thread['spent'], caps: GuideCaps): number {
  return Math.max(0, caps[option] - (spent[option] ?? 0))
}

/** Whether the guide has something left that the seller may send. */
export function hasOptionsLeft(sale: Sale, spent: Thread['spent'], caps: GuideCaps): boolean {
  return offeredOptions(sale).some((option) => capOf(option, spent, caps) > 0)
}

export interface OptionFacts {
  sale: Sale
  thread: Thread
  caps: GuideCaps
  now: Date
}

/** What is left of each option (contract 4.1). */
export function capsView({ sale, thread, caps }: OptionFacts): object[] {
  return offeredOptions(sale).map((option) => ({
    option_id: option,
    cap_available: capOf(option, thread.spent, caps),
  }))
}

/** The options as they are listed (contract 2.9). */
export function optionsView(facts: OptionFacts): { options: object[] } {
  return { options: offeredOptions(facts.sale).map((option) => optionView(option, facts)) }
}

function optionView(option: GuideOption, { sale, thread, caps, now }: OptionFacts): object {
  const { type, description, vars } = ruleOf(option)
  const left = capOf(option, thread.spent, caps)
  const isFreeText = type === 'free_text'
  const templates = templatesOf(option, sale.siteId)
  return {
    id: option,
    internal_description: description,
    // Sending it would work now: there is some of it left, and a day that can be promised.
    enabled: left > 0 && (vars === null || Boolean(promiseWords(sale, now))),
    type,
    templates: isFreeText ? null : templates.map((each) => templateView(each, option)),
    // It sends a message by itself, rather than lead to further options.
    actionable: true,
    ...(isFreeText ? { char_limit: longest.seller } : {}),
    child_options: null,
    cap_available: left,
  }
}
