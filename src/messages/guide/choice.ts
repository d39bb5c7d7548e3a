import { badField, Failure } from '../../kernel/failure.ts'
import type { GuideOption } from '../../kernel/guide-options.ts'
import { conversationStatusOf, isBoundToGuide, type Substatus } from '../conversation.ts'
import { hasOptionsLeft, offeredOptions, optionRuleOf, remainingUsesOf } from '../option-rules.ts'
import { guidedMode, isExemptFromGuide } from '../sale.ts'
import { normalizeMessageText } from '../text.ts'
import type { ActionGuideFacts } from './options.ts'
import type { OptionBody } from './schemas.ts'
import { fillTemplate, hourVariableIds, promisedDayText, templatesOf } from './templates.ts'

/** Substatuses in which the guide applies: open, "begin with the guide" and "wait for the buyer's answer". */
const guideSubstatuses: readonly (Substatus | null)[] = [
  null,
  'blocked_by_conversation_initiated_by_seller',
  'blocked_by_conversation_initiated_by_seller_limited',
]

/**
 * Throws when the guide does not apply to a sale:
 *
 * - `blocked_by_excepted_case` when the seller may write freely,
 * - `pack_is_blocked` when the seller may not write,
 * - `blocked_by_conversation_use_message_api` when the buyer has written.
 */
export function checkGuideApplies(facts: ActionGuideFacts): void {
  const { sale, thread, caps, now } = facts
  if (guidedMode(sale) === null || isExemptFromGuide(sale))
    throw new Failure('blocked_by_excepted_case')
  const hasOptions = hasOptionsLeft(sale, thread.spent, caps)
  const { substatus } = conversationStatusOf({ sale, thread, viewpoint: 'seller', hasOptions, now })
  if (!guideSubstatuses.includes(substatus)) throw new Failure('pack_is_blocked')
  if (!isBoundToGuide(facts)) throw new Failure('blocked_by_conversation_use_message_api')
}

interface ChosenOption {
  option: GuideOption
  isFreeText: boolean
  text: string
}

/** Returns the option to send and its text. Throws `invalid_option` and `option_used_up` first, then errors of the
 * text, the template and its variables. */
export function resolveOption(input: OptionBody, facts: ActionGuideFacts): ChosenOption {
  const { sale, thread, caps } = facts
  const option = offeredOptions(sale).find((offered) => offered === input.option_id)
  if (!option) throw new Failure('invalid_option')
  if (remainingUsesOf(option, thread.spent, caps) === 0) throw new Failure('option_used_up', option)
  const isFreeText = optionRuleOf(option).type === 'free_text'
  const text = isFreeText ? freeText(input) : templateText(option, input, facts)
  return { option, isFreeText, text }
}

/** Returns the seller's own text. Throws `invalid_text` for any error in it: the guide has one code for all. */
function freeText({ text }: OptionBody): string {
  if (!text || text.trim() === '') throw new Failure('invalid_text')
  try {
    return normalizeMessageText(text, 'seller')
  } catch (error) {
    throw error instanceof Failure ? new Failure('invalid_text', '', error.message) : error
  }
}

/** Returns the text of the chosen template with its variables filled in. Throws `invalid_template`,
 * `promise_in_the_past`, or a `bad_request` that names the field. */
function templateText(
  option: GuideOption,
  input: OptionBody,
  { sale, now }: ActionGuideFacts,
): string {
  const { template_id: id } = input
  const templates = templatesOf(option, sale.siteId)
  if (!id) throw badField('template_id', `one of ${templates.map(({ id }) => id).join(', ')}`)
  const template = templates.find((candidate) => candidate.id === id)
  if (!template) throw new Failure('invalid_template', id.slice(0, 200))
  if (!optionRuleOf(option).vars) return template.text
  const day = promisedDayText(sale, now)
  if (day === undefined) throw new Failure('promise_in_the_past')
  if (day === null) {
    throw badField('option_id', 'another option, because this shipment has no delivery date')
  }
  return fillTemplate(template.text, { day, ...hoursOf(input, template.id) })
}

/** Returns the hours of a delivery promise, 0 to 23. Throws a `bad_request` that names the variable. */
function hoursOf({ vars }: OptionBody, templateId: string): { initial: number; final: number } {
  const ids = hourVariableIds(templateId)
  const knownIds = Object.values(ids)
  const hours = new Map<string, number>()
  for (const [index, { id, value }] of (vars ?? []).entries()) {
    const field = `vars[${index}].id`
    if (!knownIds.includes(id)) throw badField(field, `one of ${knownIds.join(', ')}`)
    if (hours.has(id)) throw badField(field, 'no variable twice')
    hours.set(id, value)
  }
  const [initial, final] = [hourOf(ids.initial, hours), hourOf(ids.final, hours)]
  if (initial >= final) throw badField(ids.final, `an hour after that of ${ids.initial}`)
  return { initial, final }
}

function hourOf(id: string, hours: ReadonlyMap<string, number>): number {
  const hour = hours.get(id)
  if (hour === undefined || !Number.isInteger(hour) || hour < 0 || hour > 23) {
    throw badField(id, 'a whole hour from 0 to 23')
  }
  return hour
}
