import { badField, Failure } from '../../kernel/failure.ts'
import type { GuideOption } from '../../kernel/guide-options.ts'
import { isBoundToGuide, type Substatus, statusOf } from '../conversation.ts'
import { guidedMode, isExcepted } from '../sale.ts'
import { messageText } from '../send/text.ts'
import { ruleOf } from './matrix.ts'
import { capOf, hasOptionsLeft, type OptionFacts, offeredOptions } from './options.ts'
import type { OptionBody } from './schemas.ts'
import { filled, hourIds, promiseWords, templatesOf } from './templates.ts'

/** The two that say "begin with the guide" and "wait for the answer". */
const ofGuide: readonly (Substatus | null)[] = [
  null,
  'blocked_by_conversation_initiated_by_seller',
  'blocked_by_conversation_initiated_by_seller_limited',
]

/**
 * Throws when the guide has nothing to say about a sale: where its seller writes freely, where nobody
 * may write, and where the buyer has answered (contract 7.1, in this order).
 */
export function refuseUnguided(facts: OptionFacts): void {
  const { sale, thread, caps, now } = facts
  if (guidedMode(sale) === null || isExcepted(sale)) throw new Failure('blocked_by_excepted_case')
  const hasOptions = hasOptionsLeft(sale, thread.spent, caps)
  const { substatus } = statusOf({ sale, thread, viewpoint: 'seller', hasOptions, now })
  if (!ofGuide.includes(substatus)) throw new Failure('pack_is_blocked')
  if (!isBoundToGuide(facts)) throw new Failure('blocked_by_conversation_use_message_api')
}

interface Chosen {
  option: GuideOption
  isFreeText: boolean
  text: string
}

/** What an option says, once it is known that the guide applies. Throws the refusals of contract 7.1:
 * first those that no other words would help. */
export function chosenOption(asked: OptionBody, facts: OptionFacts): Chosen {
  const { sale, thread, caps } = facts
  const option = offeredOptions(sale).find((each) => each === asked.option_id)
  if (!option) throw new Failure('invalid_option')
  if (capOf(option, thread.spent, caps) === 0) throw new Failure('option_used_up', option)
  const isFreeText = ruleOf(option).type === 'free_text'
  const text = isFreeText ? freeText(asked) : templateText(option, asked, facts)
  return { option, isFreeText, text }
}

/** The seller's own words; whatever is wrong with them has one name here. */
function freeText({ text }: OptionBody): string {
  if (!text || text.trim() === '') throw new Failure('invalid_text')
  try {
    return messageText(text, 'seller')
  } catch (error) {
    throw error instanceof Failure ? new Failure('invalid_text', '', error.message) : error
  }
}

function templateText(option: GuideOption, asked: OptionBody, { sale, now }: OptionFacts): string {
  const { template_id: id } = asked
  const templates = templatesOf(option, sale.siteId)
  if (!id) throw badField('template_id', `one of ${templates.map((each) => each.id).join(', ')}`)
  const template = templates.find((each) => each.id === id)
  if (!template) throw new Failure('invalid_template', id.slice(0, 200))
  if (!ruleOf(option).vars) return template.text
  const day = promiseWords(sale, now)
  if (day === undefined) throw new Failure('promise_in_the_past')
  if (day === null) {
    throw badField('option_id', 'another option, no day of delivery is known of this shipment')
  }
  return filled(template.text, { day, ...hoursOf(asked, template.id) })
}

/** Between which hours of the day, 0 to 23 (wire 3). */
function hoursOf({ vars }: OptionBody, templateId: string): { initial: number; final: number } {
  const ids = hourIds(templateId)
  const known = Object.values(ids)
  const given = new Map<string, number>()
  for (const [index, { id, value }] of (vars ?? []).entries()) {
    const field = `vars[${index}].id`
    if (!known.includes(id)) throw badField(field, `one of ${known.join(', ')}`)
    if (given.has(id)) throw badField(field, 'no variable twice')
    given.set(id, value)
  }
  const [initial, final] = [hourOf(ids.initial, given), hourOf(ids.final, given)]
  if (initial >= final) throw badField(ids.final, `an hour after that of ${ids.initial}`)
  return { initial, final }
}

function hourOf(id: string, given: ReadonlyMap<string, number>): number {
  const hour = given.get(id)
  if (hour === undefined || !Number.isInteger(hour) || hour < 0 || hour > 23) {
    throw badField(id, 'a whole hour from 0 to 23')
  }
  return hour
}
