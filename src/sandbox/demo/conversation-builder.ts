import { hash } from 'node:crypto'
import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import type { GuideOption } from '../../kernel/guide-options.ts'
import { type AttachmentTarget, attachmentElement } from '../../messages/attachments/attachment.ts'
import {
  type ConversationBlock,
  type ConversationRecord,
  emptyConversation,
  isBoundToGuide,
} from '../../messages/conversation.ts'
import { fillTemplate, promisedDayText, templatesOf } from '../../messages/guide/templates.ts'
import {
  importedModeration,
  type Message,
  moderatedMessage,
  releasedMessage,
} from '../../messages/message.ts'
import { optionRuleOf } from '../../messages/option-rules.ts'
import {
  type ConversationParty,
  resourceKindOf,
  type ConversationSale as Subject,
} from '../../messages/sale.ts'
import { conversationAfter } from '../../messages/send/write.ts'
import type { ModerationContext, ModerationDecision } from '../../moderation/decision.ts'
import { moderate } from '../../moderation/moderate.ts'
import { noTerms } from '../../moderation/terms.ts'
import type { SeededRandom } from '../random.ts'
import { createDemoFile, type DemoFile } from './attached-files.ts'
import { conversationSaleOf, parseDate, type TimeSpan, writableSpan } from './conversation-sale.ts'
import type { DemoSale } from './sale.ts'
import { messageTimesIn } from './waking-hours.ts'

/** A conversation with its messages and files. */
export interface DemoConversation {
  sellerId: number
  packId: number
  messages: readonly Message[]
  thread: ConversationRecord
  files: readonly SentFile[]
}

/** A file with the message that it is attached to. */
export interface SentFile extends DemoFile {
  to: AttachmentTarget
}

interface MessageContent {
  text: string | ((at: Date) => string)
  option?: GuideOption
  files?: readonly string[]
  subject?: string
  /** Replaces moderation by the text. */
  moderate?: (written: Message, at: Date) => Message
}

/** A part of the conversation with a time span of its own. */
interface Phase {
  span: TimeSpan | undefined
  steps: { gap: number; act: (at: Date, before: Date) => void }[]
}

type Gap = readonly [leastMs: number, mostMs: number]

const firstGap: Gap = [5 * minuteMs, 3 * hourMs]
const answerGap: Gap = [4 * minuteMs, 2 * hourMs]
const followUpGap: Gap = [minuteMs, 5 * minuteMs]
const notifyDelayMs = [300, 1_400] as const

/**
 * A demo conversation, made by the pure functions of the commands. The methods only record steps. `build` then finds
 * times for them while both parties may write, and executes them.
 */
export class ConversationBuilder {
  readonly random: SeededRandom
  readonly sale: DemoSale
  readonly subject: Subject
  readonly #now: Date
  readonly #applicationId: number
  readonly #phases: Phase[]
  #gap: Gap = firstGap
  #speaker: ConversationParty | undefined
  #messages: Message[] = []
  #thread: ConversationRecord = emptyConversation
  #files: SentFile[] = []

  constructor(sale: DemoSale, options: { random: SeededRandom; now: Date; applicationId: number }) {
    this.sale = sale
    this.random = options.random
    this.subject = conversationSaleOf(sale)
    this.#now = options.now
    this.#applicationId = options.applicationId
    this.#phases = [{ span: writableSpan(sale, options.now), steps: [] }]
  }

  /** The span in which both parties may write the next messages; undefined for never. */
  get span(): TimeSpan | undefined {
    return this.#phase.span
  }

  get #phase(): Phase {
    return this.#phases[this.#phases.length - 1] as Phase
  }

  /** Puts the next messages after a status of the shipment, and the earlier ones before. Ignored if not reached. */
  after(reached: 'date_shipped' | 'date_delivered'): this {
    const date = parseDate(this.sale.shipment?.history[reached])
    const { span } = this.#phase
    if (!date || !span || date <= span.from) return this
    this.#phase.span = { ...span, until: earlier(span.until, date) }
    this.#phases.push({ span: spanOf({ ...span, from: date }), steps: [] })
    this.#gap = firstGap
    return this
  }

  /** Puts the messages before the dispatch of the shipment. */
  beforeShipping(): this {
    const sent = parseDate(this.sale.shipment?.history.date_shipped)
    const { span } = this.#phase
    if (sent && span) this.#phase.span = spanOf({ ...span, until: earlier(span.until, sent) })
    return this
  }

  /** Puts some days before the next message. */
  wait(leastDays: number, mostDays: number): this {
    this.#gap = [leastDays * dayMs, mostDays * dayMs]
    return this
  }

  buyer(text: string, options: Omit<MessageContent, 'text'> = {}): this {
    return this.#say('buyer', { text, ...options })
  }

  seller(text: string, options: Omit<MessageContent, 'text'> = {}): this {
    return this.#say('seller', { text, ...options })
  }

  /** Adds a first message of the seller, by the action guide if the sale requires it. */
  opening(text: string, options: Omit<MessageContent, 'text'> = {}): this {
    const option = isBoundToGuide({ sale: this.subject, thread: emptyConversation })
      ? 'OTHER'
      : undefined
    return this.#say('seller', { text, ...options, ...(option ? { option } : {}) })
  }

  /** Adds an option of the action guide with the seller's text. */
  option(option: GuideOption, text: string): this {
    return this.#say('seller', { text, option })
  }

  /** Adds an option of the action guide with its template. A delivery promise has hours. */
  template(option: GuideOption, hours?: { initial: number; final: number }): this {
    const [template] = templatesOf(option, this.subject.siteId)
    const text = (at: Date) => {
      const day = promisedDayText(this.subject, at)
      return fillTemplate(template?.text ?? '', { ...hours, ...(day ? { day } : {}) })
    }
    return this.#say('seller', { text, option })
  }

  /** Marks the messages of the other party as read. */
  markRead(by: ConversationParty): this {
    return this.#addStep((at) => this.#markRead(by, at))
  }

  /** Releases the last message that moderation rejected, as the operator would. */
  overrule(): this {
    return this.#addStep((at) => {
      const index = this.#messages.findLastIndex(({ status }) => status === 'moderated')
      const message = this.#messages[index]
      if (!message) return
      const isFirst = this.#thread.lastMessageAt === null
      const passed = releasedMessage(message, { isFirst, now: at })
      this.#messages[index] = { ...passed, dateNotified: this.#notifiedAt(at) }
      this.#thread = conversationAfter(this.#thread, passed)
    })
  }

  block(block: ConversationBlock): this {
    return this.#addStep((at) => {
      this.#thread = { ...this.#thread, block, blockedAt: at }
    })
  }

  /** Executes the steps and returns the conversation, or undefined if there was no time for any message. */
  build(): DemoConversation | undefined {
    for (const { span, steps } of this.#phases) {
      if (steps.length === 0) continue
      const gaps = steps.map(({ gap }) => gap)
      const moments = span && messageTimesIn(span, { gaps, site: this.sale.seller.site })
      if (!moments) break
      let before = span.from
      for (const [index, { act }] of steps.entries()) {
        const at = moments[index] as Date
        act(at, before)
        before = at
      }
    }
    if (this.#messages.length === 0) return undefined
    const { sellerId, packId } = this.subject
    const [messages, thread, files] = [this.#messages, this.#thread, this.#files]
    return { sellerId, packId, messages, thread, files }
  }

  #say(by: ConversationParty, content: MessageContent): this {
    if (this.#speaker === by && this.#gap === answerGap) this.#gap = followUpGap
    this.#speaker = by
    return this.#addStep((at, before) => {
      // A party reads the earlier messages before it answers.
      this.#markRead(by, new Date(before.getTime() + 0.8 * (at.getTime() - before.getTime())))
      this.#write(by, content, at)
    })
  }

  #addStep(act: (at: Date, before: Date) => void): this {
    const [least, most] = this.#gap
    this.#phase.steps.push({ gap: this.random.between(least, most), act })
    this.#gap = answerGap
    return this
  }

  #markRead(by: ConversationParty, at: Date): void {
    const { sellerId } = this.subject
    this.#messages = this.#messages.map((message) => {
      const isOwn = (message.fromId === sellerId) === (by === 'seller')
      const isUnread = message.status === 'available' && message.dateRead === null
      return !isOwn && isUnread ? { ...message, dateRead: at } : message
    })
  }

  /** Makes a message at a time, with its files, and the verdict of moderation on it. */
  #write(
    by: ConversationParty,
    { text: words, option, files = [], subject, moderate }: MessageContent,
    at: Date,
  ) {
    const { sellerId, buyerId, packId, siteId } = this.subject
    const [fromId, toId] = by === 'seller' ? [sellerId, buyerId] : [buyerId, sellerId]
    const serial = `${packId}/${this.#messages.length}`
    const id = hash('md5', serial)
    const uploaded = files.map((name, index) =>
      createDemoFile(name, {
        userId: fromId,
        serial: `${serial}/${index}`,
        at: before(at, 20 * secondMs),
      }),
    )
    const to = { sellerId, buyerId, packId, messageId: id }
    this.#files.push(...uploaded.map((file) => ({ ...file, to })))
    const text = typeof words === 'string' ? words : words(at)
    const written: Message = {
      id,
      sellerId,
      buyerId,
      packId,
      siteId,
      fromId,
      toId,
      text,
      resource: resourceKindOf(this.subject),
      applicationId: by === 'seller' ? this.#applicationId : null,
      subject: subject ?? null,
      status: 'pending_translation',
      moderation: { ...importedModeration, status: 'pending' },
      attachments: uploaded.map(({ attachment }) =>
        attachmentElement({ ...attachment, expiresAt: null, attachedTo: null }),
      ),
      isFirst: this.#thread.lastMessageAt === null,
      optionId: option ?? null,
      dateCreated: at,
      dateAvailable: null,
      dateNotified: null,
      dateRead: null,
    }
    const message = moderate
      ? moderate(written, at)
      : moderatedMessage(written, this.#findMatch(by, written), at)
    const isAvailable = message.status === 'available'
    const isFirst = isAvailable && message.isFirst
    this.#messages.push({
      ...message,
      isFirst,
      dateNotified: isAvailable ? this.#notifiedAt(at) : null,
    })
    this.#thread = conversationAfter(this.#thread, message)
  }

  #findMatch(
    writer: ConversationParty,
    { text, siteId, optionId }: Message,
  ): ModerationDecision | undefined {
    if (optionId !== null && optionRuleOf(optionId as GuideOption).type === 'template')
      return undefined
    const billingAsked = (this.#thread.spent['REQUEST_BILLING_INFO'] ?? 0) > 0
    return moderateCached(text, { siteId, writer, billingAsked })
  }

  /** Returns when the receiver is notified of a message that becomes available. */
  #notifiedAt(at: Date): Date {
    const [least, most] = notifyDelayMs
    return new Date(Math.min(at.getTime() + this.random.between(least, most), Number(this.#now)))
  }
}

const decisions = new Map<string, ModerationDecision | undefined>()
/** Repeated texts are moderated once. The cache stops growing at this size. */
const cacheLimit = 20_000

/** Returns the decision of moderation on a text, without terms of the operator. */
function moderateCached(
  text: string,
  about: Omit<ModerationContext, 'terms'>,
): ModerationDecision | undefined {
  const key = `${about.siteId} ${about.writer} ${about.billingAsked} ${text}`
  if (decisions.has(key)) return decisions.get(key)
  const decision = moderate(text, { ...about, terms: noTerms })
  if (decisions.size < cacheLimit) decisions.set(key, decision)
  return decision
}

const before = (at: Date, ms: number) => new Date(at.getTime() - ms)

const earlier = (one: Date, other: Date) => (one < other ? one : other)

function spanOf({ from, until }: TimeSpan): TimeSpan | undefined {
  return from < until ? { from, until } : undefined
}
