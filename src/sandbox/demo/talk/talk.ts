import { hash } from 'node:crypto'
import { dayMs, hourMs, minuteMs, secondMs } from '../../../kernel/clock.ts'
import type { GuideOption } from '../../../kernel/guide-options.ts'
import { type AttachedTo, attachmentElement } from '../../../messages/attachments/attachment.ts'
import {
  type Block,
  isBoundToGuide,
  type Thread,
  untouched,
} from '../../../messages/conversation.ts'
import { ruleOf } from '../../../messages/guide/matrix.ts'
import { filled, promiseWords, templatesOf } from '../../../messages/guide/templates.ts'
import { type Message, moderated, overruled, pastModeration } from '../../../messages/message.ts'
import type { Finding } from '../../../messages/moderation/finding.ts'
import { resourceOf, type Sale as Subject, type Viewpoint } from '../../../messages/sale.ts'
import { followed } from '../../../messages/send/write.ts'
import { type DemoFile, type FileName, fileOf } from '../files/files.ts'
import type { Random } from '../random.ts'
import type { Sale } from '../sale.ts'
import { dateOf, type Span, subjectOf, talkingTime } from './about.ts'
import { momentsIn } from './hours.ts'
import { judged } from './judged.ts'

/** A conversation with its messages and files. */
export interface DemoTalk {
  sellerId: number
  packId: number
  messages: readonly Message[]
  thread: Thread
  files: readonly SentFile[]
}

/** A file with the message that it is attached to. */
export interface SentFile extends DemoFile {
  to: AttachedTo
}

/** The steps of a conversation. */
export type MessageScenario = (talk: MessageThread) => void

interface MessageContent {
  text: string | ((at: Date) => string)
  option?: GuideOption
  files?: readonly FileName[]
  subject?: string
  /** Replaces moderation by the text. */
  judge?: (written: Message, at: Date) => Message
}

/** A part of the conversation with a time span of its own. */
interface Phase {
  span: Span | undefined
  steps: { gap: number; act: (at: Date, before: Date) => void }[]
}

type Gap = readonly [leastMs: number, mostMs: number]

const first: Gap = [5 * minuteMs, 3 * hourMs]
const answer: Gap = [4 * minuteMs, 2 * hourMs]
const again: Gap = [minuteMs, 5 * minuteMs]
const notifyDelayMs = [300, 1_400] as const

/**
 * A demo conversation, made by the pure functions of the commands. The methods only record steps. `tell` then finds
 * times for them while both parties may write, and executes them.
 */
export class MessageThread {
  readonly random: Random
  readonly sale: Sale
  readonly subject: Subject
  readonly #now: Date
  readonly #applicationId: number
  readonly #phases: Phase[]
  #gap: Gap = first
  #speaker: Viewpoint | undefined
  #messages: Message[] = []
  #thread: Thread = untouched
  #files: SentFile[] = []

  constructor(sale: Sale, options: { random: Random; now: Date; applicationId: number }) {
    this.sale = sale
    this.random = options.random
    this.subject = subjectOf(sale)
    this.#now = options.now
    this.#applicationId = options.applicationId
    this.#phases = [{ span: talkingTime(sale, options.now), steps: [] }]
  }

  /** The span in which both parties may write the next messages; undefined for never. */
  get span(): Span | undefined {
    return this.#phase.span
  }

  get #phase(): Phase {
    return this.#phases[this.#phases.length - 1] as Phase
  }

  /** Puts the next messages after a status of the shipment, and the earlier ones before. Ignored if not reached. */
  after(reached: 'date_shipped' | 'date_delivered'): this {
    const date = dateOf(this.sale.shipment?.history[reached])
    const { span } = this.#phase
    if (!date || !span || date <= span.from) return this
    this.#phase.span = { ...span, until: earlier(span.until, date) }
    this.#phases.push({ span: spanOf({ ...span, from: date }), steps: [] })
    this.#gap = first
    return this
  }

  /** Puts the messages before the dispatch of the shipment. */
  beforeShipping(): this {
    const sent = dateOf(this.sale.shipment?.history.date_shipped)
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
    const option = isBoundToGuide({ sale: this.subject, thread: untouched }) ? 'OTHER' : undefined
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
      const day = promiseWords(this.subject, at)
      return filled(template?.text ?? '', { ...hours, ...(day ? { day } : {}) })
    }
    return this.#say('seller', { text, option })
  }

  /** Marks the messages of the other party as read. */
  read(by: Viewpoint): this {
    return this.#addStep((at) => this.#markRead(by, at))
  }

  /** Releases the last message that moderation rejected, as the operator would. */
  overrule(): this {
    return this.#addStep((at) => {
      const place = this.#messages.findLastIndex(({ status }) => status === 'moderated')
      const message = this.#messages[place]
      if (!message) return
      const isFirst = this.#thread.lastMessageAt === null
      const passed = overruled(message, { isFirst, now: at })
      this.#messages[place] = { ...passed, dateNotified: this.#notifiedAt(at) }
      this.#thread = followed(this.#thread, passed)
    })
  }

  block(block: Block): this {
    return this.#addStep((at) => {
      this.#thread = { ...this.#thread, block, blockedAt: at }
    })
  }

  /** Executes the steps and returns the conversation, or undefined if there was no time for any message. */
  tell(): DemoTalk | undefined {
    for (const { span, steps } of this.#phases) {
      if (steps.length === 0) continue
      const gaps = steps.map(({ gap }) => gap)
      const moments = span && momentsIn(span, { gaps, site: this.sale.seller.site })
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

  #say(by: Viewpoint, content: MessageContent): this {
    if (this.#speaker === by && this.#gap === answer) this.#gap = again
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
    this.#gap = answer
    return this
  }

  #markRead(by: Viewpoint, at: Date): void {
    const { sellerId } = this.subject
    this.#messages = this.#messages.map((message) => {
      const isOwn = (message.fromId === sellerId) === (by === 'seller')
      const isUnread = message.status === 'available' && message.dateRead === null
      return !isOwn && isUnread ? { ...message, dateRead: at } : message
    })
  }

  /** Makes a message at a time, with its files, and the verdict of moderation on it. */
  #write(
    by: Viewpoint,
    { text: words, option, files = [], subject, judge }: MessageContent,
    at: Date,
  ) {
    const { sellerId, buyerId, packId, siteId } = this.subject
    const [fromId, toId] = by === 'seller' ? [sellerId, buyerId] : [buyerId, sellerId]
    const serial = `${packId}/${this.#messages.length}`
    const id = hash('md5', serial)
    const uploaded = files.map((name, index) =>
      fileOf(name, { userId: fromId, serial: `${serial}/${index}`, at: before(at, 20 * secondMs) }),
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
      resource: resourceOf(this.subject),
      applicationId: by === 'seller' ? this.#applicationId : null,
      subject: subject ?? null,
      status: 'pending_translation',
      moderation: { ...pastModeration, status: 'pending' },
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
    const message = judge
      ? judge(written, at)
      : moderated(written, this.#findMatch(by, written), at)
    const isAvailable = message.status === 'available'
    const isFirst = isAvailable && message.isFirst
    this.#messages.push({
      ...message,
      isFirst,
      dateNotified: isAvailable ? this.#notifiedAt(at) : null,
    })
    this.#thread = followed(this.#thread, message)
  }

  #findMatch(writer: Viewpoint, { text, siteId, optionId }: Message): Finding | null {
    if (optionId !== null && ruleOf(optionId as GuideOption).type === 'template') return null
    const billingAsked = (this.#thread.spent['REQUEST_BILLING_INFO'] ?? 0) > 0
    return judged(text, { siteId, writer, billingAsked })
  }

  /** Returns when the receiver is notified of a message that becomes available. */
  #notifiedAt(at: Date): Date {
    const [least, most] = notifyDelayMs
    return new Date(Math.min(at.getTime() + this.random.between(least, most), Number(this.#now)))
  }
}

const before = (at: Date, ms: number) => new Date(at.getTime() - ms)

const earlier = (one: Date, other: Date) => (one < other ? one : other)

function spanOf({ from, until }: Span): Span | undefined {
  return from < until ? { from, until } : undefined
}
