import { hourMs } from '../../kernel/clock.ts'
import { sites } from '../../kernel/sites.ts'
import { emptyConversation, isBoundToGuide } from '../../messages/conversation.ts'
import { importedModeration, type Message, moderatedMessage } from '../../messages/message.ts'
import { offeredOptions } from '../../messages/option-rules.ts'
import { pickWeighted, type SeededRandom, weightedListOf } from '../random.ts'
import { ConversationBuilder, type DemoConversation } from './conversation-builder.ts'
import { demoFiles, type MessageStep, type messagePlaceholders } from './data.ts'
import type { DemoSale } from './sale.ts'
import { cityOf } from './users.ts'

/** The share of drawn sales with a conversation: enough for one on every page, few enough not to slow down seeding. */
const conversationShare = 1 / 12

interface ConversationContext {
  random: SeededRandom
  now: Date
  applicationId: number
}

/** Returns the conversation of the first sale of a scenario, if it has one. */
export function namedConversation(
  sale: DemoSale,
  name: string,
  context: ConversationContext,
): DemoConversation | undefined {
  const steps = demoFiles().conversations.named[name]
  if (!steps) return undefined
  const conversation = new ConversationBuilder(sale, context)
  addMessageSteps(conversation, steps)
  return conversation.build()
}

/** Returns the conversation of a drawn sale, for some of them. */
export function drawConversation(
  sale: DemoSale,
  context: ConversationContext,
): DemoConversation | undefined {
  return context.random.chance(conversationShare) ? usualConversation(sale, context) : undefined
}

/** Returns a conversation that suits the sale, or undefined if the parties never may or have no time to write. */
export function usualConversation(
  sale: DemoSale,
  context: ConversationContext,
): DemoConversation | undefined {
  const conversation = new ConversationBuilder(sale, context)
  if (!conversation.span) return undefined
  const { subject, random } = conversation
  const hasArrived = sale.shipment?.history.date_delivered !== undefined
  const isBound = isBoundToGuide({ sale: subject, thread: emptyConversation })
  const options = isBound ? offeredOptions(subject) : []
  const suitable = demoFiles().conversations.usual.filter(({ timing, first_option: option }) => {
    if (option && !options.includes(option)) return false
    if (option === 'DELIVERY_PROMISE' && !canPromise(conversation)) return false
    return timing === 'any' || (timing === 'after') === hasArrived
  })
  const script = pickWeighted(weightedListOf(suitable), random)
  if (script.timing === 'before') conversation.beforeShipping()
  if (script.timing === 'after') conversation.after('date_delivered')
  addMessageSteps(conversation, script.steps)
  if (random.chance(0.8)) {
    conversation.markRead(script.last_author === 'seller' ? 'buyer' : 'seller')
  }
  return conversation.build()
}

/** Returns whether the promised day is far enough away for a first message before it. */
function canPromise({ subject, span }: ConversationBuilder): boolean {
  const promised = subject.shipment?.promisedAt
  return !!promised && !!span && Number(promised) - Number(span.from) > 12 * hourMs
}

function addMessageSteps(conversation: ConversationBuilder, steps: readonly MessageStep[]): void {
  for (const step of steps) addMessageStep(conversation, step)
}

function addMessageStep(conversation: ConversationBuilder, step: MessageStep): void {
  const { sale, random } = conversation
  if ('buyer' in step) conversation.buyer(textOf(step.buyer, sale), contentOf(step))
  else if ('seller' in step) conversation.seller(textOf(step.seller, sale), contentOf(step))
  else if ('opening' in step) conversation.opening(textOf(step.opening, sale), contentOf(step))
  else if ('option' in step) conversation.option(step.option, textOf(step.text, sale))
  else if ('template' in step) {
    const { first, count } = step.hours ?? {}
    const initial = Array.isArray(first) ? random.between(...first) : first
    const hours = initial === undefined ? undefined : { initial, final: initial + (count ?? 0) }
    conversation.template(step.template, hours)
  } else if ('after' in step) conversation.after(step.after)
  else if ('before' in step) conversation.beforeShipping()
  else if ('wait_days' in step) conversation.wait(...step.wait_days)
  else if ('read' in step) conversation.markRead(step.read)
  else if ('block' in step) conversation.block(step.block)
  else conversation.overrule()
}

type MessageText = Extract<MessageStep, { option: unknown }>['text']
type WrittenStep = Extract<
  MessageStep,
  { buyer: unknown } | { seller: unknown } | { opening: unknown }
>

function contentOf({ files, subject, moderation }: WrittenStep) {
  return {
    ...(files ? { files } : {}),
    ...(subject === undefined ? {} : { subject }),
    ...(moderation ? { moderate: verdicts[moderation] } : {}),
  }
}

/** Verdicts on messages instead of that of moderation on the text. */
const verdicts: Record<
  NonNullable<WrittenStep['moderation']>,
  (written: Message, at: Date) => Message
> = {
  /** Rejected as a copy. The real rule compares it with other messages. */
  copy: (written, at) =>
    moderatedMessage(
      written,
      { reason: 'AUTOMATIC_MESSAGE', rule: 'copies', from: 0, to: written.text.length },
      at,
    ),
  /** Passed in the time before moderation. */
  none_yet: (written, at) => ({
    ...written,
    status: 'available',
    dateAvailable: at,
    moderation: importedModeration,
  }),
  /** Waits for its translation. */
  untranslated: (written) => written,
  rejected_by_hand: (written, at) => ({
    ...written,
    status: 'rejected',
    moderation: {
      ...importedModeration,
      status: 'rejected',
      reason: 'OUT_OF_PLACE_LANGUAGE',
      date: at,
    },
  }),
}

/** Returns the text in the language of the site, with its names in braces filled in. */
function textOf(text: MessageText, sale: DemoSale): string {
  const words = typeof text === 'string' ? text : text[sites[sale.seller.site].language]
  const [order] = sale.orders
  const values: Record<(typeof messagePlaceholders)[number], () => string> = {
    billing: () => billingAnswerOf(sale),
    buyer: () => sale.buyer.user.firstName ?? '',
    email: () => sale.buyer.user.email ?? '',
    item: () => order?.items[0]?.item.title ?? '',
    pack: () => String(order?.packId ?? order?.id),
  }
  return fill(words, values)
}

/** Returns the buyer's answer to a request for billing data: what the template of the site asks for. */
function billingAnswerOf({ buyer, seller: { site } }: DemoSale): string {
  const { firstName, lastName, email, billingInfo, id } = buyer.user
  const { address_line: home, zip_code: zip } = buyer.address
  const answer = fill(demoFiles().sites[site].billing, {
    document: () => billingInfo.doc_number ?? '',
    email: () => email ?? '',
    home: () => home ?? '',
    town: () => cityOf(site, id).city,
    zip: () => zip ?? '',
  })
  return `${firstName} ${lastName}, ${answer}`
}

function fill(text: string, values: Readonly<Record<string, () => string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (!value) throw new Error(`the demo data has a text with an unknown name: {${name}}`)
    return value()
  })
}
