import { type GuideOption, guideOptions } from '../../../kernel/guide-options.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import { makeYielder } from '../../../kernel/slices.ts'
import { moderate } from '../../../moderation/moderate.ts'
import type { ModerationReason } from '../../../moderation/reason.ts'
import type { ModerationTerms } from '../../../moderation/terms.ts'
import type { Db } from '../../../platform/database/database.ts'
import { optionRuleOf } from '../../option-rules.ts'
import { listPastMessages, type PastMessage } from './store.ts'

/** What moderation says of a message: why it is held back and where, or null. */
export interface Verdict {
  reason: ModerationReason
  rule: string
  /** The match, in UTF-16 units. Null where it is the whole message. */
  from: number
  to: number
}

export const differenceKinds = ['newly_held', 'newly_passed', 'other_reason'] as const
type DifferenceKind = (typeof differenceKinds)[number]

export interface Difference {
  kind: DifferenceKind
  message: PastMessage
  before: Verdict | null
  after: Verdict | null
}

/** Why older messages of the period were not judged. */
export const previewCuts = ['limit', 'time', 'reads'] as const
type PreviewCut = (typeof previewCuts)[number]

export interface Preview {
  judged: number
  /** When the oldest judged message was sent. */
  oldest: Date | null
  cut: PreviewCut | null
  heldBefore: number
  heldAfter: number
  counts: Record<DifferenceKind, number>
  /** The newest ones, up to `maxDifferences`. */
  differences: Difference[]
}

export const maxDifferences = 200

/** Bounds of one preview. */
export interface PreviewBounds {
  /** Time limit, in ms. */
  mostMs: number
  /** Messages that are read to find those of one site. */
  mostReads: number
  pageSize: number
}

export const previewBounds: PreviewBounds = { mostMs: 10_000, mostReads: 50_000, pageSize: 200 }

/**
 * Judges messages of the past, the newest first, by the terms in force (`before`) and by changed ones (`after`), as if
 * they were sent now. Other work goes on meanwhile. It stops after `limit` messages, when its time is over, when too many
 * messages of other sites were read, or when `signal` aborts.
 */
export async function previewTerms(
  db: Db,
  {
    before,
    after,
    siteId,
    from,
    to,
    limit,
    signal,
  }: {
    before: ModerationTerms
    after: ModerationTerms
    siteId: SiteId | null
    from: Date
    to: Date
    limit: number
    signal?: AbortSignal
  },
  { mostMs, mostReads, pageSize }: PreviewBounds = previewBounds,
): Promise<Preview> {
  const endsAt = performance.now() + mostMs
  const breathe = makeYielder()
  const preview: Preview = {
    judged: 0,
    oldest: null,
    cut: null,
    heldBefore: 0,
    heldAfter: 0,
    counts: { newly_held: 0, newly_passed: 0, other_reason: 0 },
    differences: [],
  }
  let position = { before: to, id: '' }
  for (let reads = 0; ; ) {
    const page = await listPastMessages(db, { from, ...position, limit: pageSize })
    for (const message of page) {
      if (preview.judged >= limit) return { ...preview, cut: 'limit' }
      if (reads >= mostReads) return { ...preview, cut: 'reads' }
      if (performance.now() >= endsAt || signal?.aborted) return { ...preview, cut: 'time' }
      reads++
      if (siteId === null || message.siteId === siteId) addMessage(preview, message, before, after)
      await breathe()
    }
    const last = page.length === pageSize ? page.at(-1) : undefined
    if (!last) return preview
    position = { before: last.dateCreated, id: last.id }
  }
}

function addMessage(
  preview: Preview,
  message: PastMessage,
  termsBefore: ModerationTerms,
  termsAfter: ModerationTerms,
): void {
  const before = judgeAgain(message, termsBefore)
  const after = judgeAgain(message, termsAfter)
  preview.judged++
  preview.oldest = message.dateCreated
  if (before) preview.heldBefore++
  if (after) preview.heldAfter++
  const kind = differenceKind(before, after)
  if (!kind) return
  preview.counts[kind]++
  if (preview.differences.length < maxDifferences) {
    preview.differences.push({ kind, message, before, after })
  }
}

function differenceKind(before: Verdict | null, after: Verdict | null): DifferenceKind | undefined {
  if (!before) return after ? 'newly_held' : undefined
  if (!after) return 'newly_passed'
  return before.reason === after.reason ? undefined : 'other_reason'
}

/** Returns what moderation says of a message, sent now. Copies depend on the messages around it, so a decision about
 * copies is the stored one. Template texts are not moderated. */
function judgeAgain(message: PastMessage, terms: ModerationTerms): Verdict | null {
  if (isTemplate(message.optionId)) return null
  const { text, siteId, fromId, sellerId, isBillingAsked, rule, reason } = message
  const writer = fromId === sellerId ? 'seller' : 'buyer'
  const verdict = moderate(text, { siteId, writer, terms, billingAsked: isBillingAsked })
  if (verdict) return verdict
  const wasCopy = rule !== null && reason === 'AUTOMATIC_MESSAGE' && !terms.isRuleOff(rule, siteId)
  return wasCopy ? { reason, rule, from: 0, to: text.length } : null
}

function isTemplate(optionId: string | null): boolean {
  const option = guideOptions.find((each): each is GuideOption => each === optionId)
  return option !== undefined && optionRuleOf(option).type === 'template'
}
