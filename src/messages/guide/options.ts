import type { GuideCaps, GuideOption } from '../../kernel/guide-options.ts'
import type { ConversationRecord } from '../conversation.ts'
import { offeredOptions, optionRuleOf, remainingUsesOf } from '../option-rules.ts'
import type { ConversationSale } from '../sale.ts'
import { maxMessageLengths } from '../text.ts'
import { promisedDayText, templatesOf, templateView } from './templates.ts'

export interface ActionGuideFacts {
  sale: ConversationSale
  thread: ConversationRecord
  caps: GuideCaps
  now: Date
}

/** Returns the remaining uses of each option. */
export function capsView({ sale, thread, caps }: ActionGuideFacts): object[] {
  return offeredOptions(sale).map((option) => ({
    option_id: option,
    cap_available: remainingUsesOf(option, thread.spent, caps),
  }))
}

/** Returns the options of a sale with their templates and remaining uses. */
export function optionsView(facts: ActionGuideFacts): { options: object[] } {
  return { options: offeredOptions(facts.sale).map((option) => optionView(option, facts)) }
}

/** Renders an option of the action guide. It is enabled while the seller may use it again. */
function optionView(option: GuideOption, { sale, thread, caps, now }: ActionGuideFacts): object {
  const { type, description, vars } = optionRuleOf(option)
  const remaining = remainingUsesOf(option, thread.spent, caps)
  const isFreeText = type === 'free_text'
  const templates = templatesOf(option, sale.siteId)
  return {
    id: option,
    internal_description: description,
    // A delivery promise also needs a delivery date that is not over.
    enabled: remaining > 0 && (vars === null || Boolean(promisedDayText(sale, now))),
    type,
    templates: isFreeText ? null : templates.map((template) => templateView(template, option)),
    // The option sends a message itself: no option here leads to further ones.
    actionable: true,
    ...(isFreeText ? { char_limit: maxMessageLengths.seller } : {}),
    child_options: null,
    cap_available: remaining,
  }
}
