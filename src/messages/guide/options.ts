import { type GuideCaps, type GuideOption, guideOptions } from '../../kernel/guide-options.ts'
import type { Thread } from '../conversation.ts'
import { guidedMode, type Sale } from '../sale.ts'
import { longest } from '../send/text.ts'
import { ruleOf } from './matrix.ts'
import { promiseWords, templatesOf, templateView } from './templates.ts'

/** Returns the options of a sale, used up or not. Empty when the sale needs no guide. */
export function offeredOptions(sale: Pick<Sale, 'siteId' | 'shipment'>): GuideOption[] {
  const mode = guidedMode(sale)
  return guideOptions.filter((option) => {
    const { sites, modes } = ruleOf(option)
    return mode !== null && modes.includes(mode) && sites.includes(sale.siteId)
  })
}

/** Returns how often an option may still be used in this conversation. */
export function capOf(option: GuideOption, spent: Thread['spent'], caps: GuideCaps): number {
  return Math.max(0, caps[option] - (spent[option] ?? 0))
}

/** Returns whether the seller may still send an option. */
export function hasOptionsLeft(sale: Sale, spent: Thread['spent'], caps: GuideCaps): boolean {
  return offeredOptions(sale).some((option) => capOf(option, spent, caps) > 0)
}

export interface OptionFacts {
  sale: Sale
  thread: Thread
  caps: GuideCaps
  now: Date
}

/** Returns the remaining uses of each option. */
export function capsView({ sale, thread, caps }: OptionFacts): object[] {
  return offeredOptions(sale).map((option) => ({
    option_id: option,
    cap_available: capOf(option, thread.spent, caps),
  }))
}

/** Returns the options of a sale with their templates and remaining uses. */
export function optionsView(facts: OptionFacts): { options: object[] } {
  return { options: offeredOptions(facts.sale).map((option) => optionView(option, facts)) }
}

/** Renders an option of the action guide. It is enabled while the seller may use it again. */
function optionView(option: GuideOption, { sale, thread, caps, now }: OptionFacts): object {
  const { type, description, vars } = ruleOf(option)
  const remaining = capOf(option, thread.spent, caps)
  const isFreeText = type === 'free_text'
  const templates = templatesOf(option, sale.siteId)
  return {
    id: option,
    internal_description: description,
    // A delivery promise also needs a delivery date that is not over.
    enabled: remaining > 0 && (vars === null || Boolean(promiseWords(sale, now))),
    type,
    templates: isFreeText ? null : templates.map((template) => templateView(template, option)),
    // The option sends a message itself: no option here leads to further ones.
    actionable: true,
    ...(isFreeText ? { char_limit: longest.seller } : {}),
    child_options: null,
    cap_available: remaining,
  }
}
