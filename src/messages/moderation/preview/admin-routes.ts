import { type Static, Type } from 'typebox'
import { ok, type Route, route } from '../../../http/route.ts'
import { allSites } from '../../../http/site-rule.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { badField, Failure } from '../../../kernel/failure.ts'
import { Id, OrNull, Site, StrictObject, Timestamp } from '../../../kernel/schema.ts'
import { siteIds } from '../../../kernel/sites.ts'
import { builtInRules } from '../../../moderation/built-in-rules.ts'
import { moderationReasons } from '../../../moderation/reason.ts'
import { type ModerationTerm, ModerationTerms, type RuleSwitch } from '../../../moderation/terms.ts'
import { messageStatuses } from '../../message.ts'
import { periodOf, periodQuery } from '../decisions/period.ts'
import { TermBody, termOf } from '../terms/admin-routes.ts'
import { listRuleSwitches, listTerms } from '../terms/store.ts'
import {
  type Difference,
  differenceKinds,
  maxDifferences,
  previewBounds,
  previewCuts,
  previewTerms,
  type Verdict,
} from './preview.ts'

const defaultLimit = 1_000
const maxLimit = 5_000
const maxChanges = 200

const SwitchBody = StrictObject({
  rule: Type.String({ minLength: 1, maxLength: 200 }),
  enabled: OrNull(
    Type.Boolean({
      description: 'Whether its matches count. Null removes the switch.',
      examples: [false],
    }),
  ),
  site_id: Type.Optional(
    OrNull(
      Type.Enum(siteIds, { description: 'The site it applies to. Null, the default: all sites' }),
    ),
  ),
})

const PreviewBody = StrictObject({
  add: Type.Optional(
    Type.Array(TermBody, {
      maxItems: maxChanges,
      description: 'Terms to add or replace.',
      examples: [[{ kind: 'word', value: 'pava', reason: 'OUT_OF_PLACE_LANGUAGE' }]],
    }),
  ),
  delete: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: maxChanges,
      description: 'Ids of terms to delete.',
      examples: [['6dbcd5faf1cdc9c8']],
    }),
  ),
  rules: Type.Optional(
    Type.Array(SwitchBody, { maxItems: maxChanges, description: 'Rules to switch.' }),
  ),
  ...periodQuery,
  from: Type.Optional({
    ...Timestamp,
    description: 'Messages sent at this time or later. Default: all before `to`.',
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      description: `Messages to judge, the newest ones of the period. Default: ${defaultLimit}.`,
    }),
  ),
})

const VerdictAnswer = Type.Object({
  reason: Type.Enum([...moderationReasons]),
  rule: Type.String(),
  from: Type.Integer({ description: 'Start of the match, in UTF-16 units.' }),
  to: Type.Integer({ description: 'End of the match (exclusive), in UTF-16 units.' }),
  cause: Type.String({ description: 'The part of the text that matched.' }),
})

const DifferenceAnswer = Type.Object({
  change: Type.Enum([...differenceKinds]),
  message_id: Type.String(),
  site_id: Site,
  seller_id: Id,
  pack_id: Id,
  writer: Type.Enum(['seller', 'buyer']),
  date_created: Timestamp,
  status: Type.Enum([...messageStatuses], {
    description: 'The status of the message. A preview changes nothing.',
  }),
  before: OrNull(VerdictAnswer),
  after: OrNull(VerdictAnswer),
})

const Count = Type.Integer({ minimum: 0 })

const PreviewAnswer = Type.Object({
  judged: { ...Count, description: 'Messages that were judged.' },
  oldest: OrNull({ ...Timestamp, description: 'When the oldest of them was sent.' }),
  cut: OrNull(
    Type.Enum([...previewCuts], {
      description:
        'Why older messages of the period were not judged: `limit` messages were, the `time` was over, or too many `reads` of other sites. Null if all were.',
    }),
  ),
  held_before: { ...Count, description: 'Messages that would be held back now.' },
  held_after: { ...Count, description: 'Messages that would be held back after the change.' },
  newly_held: Count,
  newly_passed: Count,
  other_reason: { ...Count, description: 'Messages that would be held back for another reason.' },
  differences: Type.Array(DifferenceAnswer, {
    description: `The newest ${maxDifferences} differences.`,
  }),
})

const postPreview = route({
  method: 'POST',
  url: '/operator/moderation/preview',
  scope: 'operator',
  permission: 'moderation:read',
  sites: allSites,
  audits: 'moderation_rule',
  tag: 'Operator: moderation',
  summary: 'Try changed terms and rules on past messages',
  description: `Judges messages of the past by the terms and rules in force, and by those after your change, as if they were sent now. Returns which of them would be decided otherwise. It changes nothing. It judges up to ${maxLimit} messages and stops after ${previewBounds.mostMs / 1_000} seconds; \`cut\` says if it stopped early. \`AUTOMATIC_MESSAGE\` depends on other messages, so the stored decision stands for it. 400 \`bad_request\`: a field has a wrong value, or no term or rule has the id.`,
  refuses: { bad_request: 'rules[0].rule: expected a built-in rule' },
  body: PreviewBody,
  answers: { 200: PreviewAnswer },
  async handle({ db, now }, { body, signal }) {
    const [terms, switches] = await Promise.all([listTerms(db), listRuleSwitches(db)])
    const preview = await previewTerms(db, {
      ...periodOf(body.from === undefined ? { ...body, from: beginning } : body, now()),
      before: new ModerationTerms(terms, switches),
      after: new ModerationTerms(
        changedTerms(terms, body, now()),
        changedSwitches(switches, body, now()),
      ),
      limit: body.limit ?? defaultLimit,
      signal,
    })
    const { judged, oldest, cut, heldBefore, heldAfter, counts, differences } = preview
    return ok({
      judged,
      oldest: timestamp(oldest),
      cut,
      held_before: heldBefore,
      held_after: heldAfter,
      ...counts,
      differences: differences.map(differenceView),
    })
  },
})

/** Before every message: without `from`, only `limit` bounds the period. */
const beginning = '1900-01-01T00:00:00.000Z'

/** Returns the terms after the change, in the order in which they are listed. Throws `bad_request`. */
function changedTerms(
  terms: readonly ModerationTerm[],
  { add = [], delete: ids = [] }: Static<typeof PreviewBody>,
  now: Date,
): ModerationTerm[] {
  const byId = new Map(terms.map((term) => [term.id, term]))
  ids.forEach((id, index) => {
    if (!byId.delete(id)) throw badField(`delete[${index}]`, 'the id of a term')
  })
  add.forEach((body, index) => {
    const term = addedTerm(body, index, now)
    byId.set(term.id, term)
  })
  return [...byId.values()].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

function addedTerm(body: Static<typeof TermBody>, index: number, now: Date): ModerationTerm {
  try {
    return termOf(body, now)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, `add[${index}].${error.message}`)
  }
}

const sortKey = ({ kind, value, id }: ModerationTerm) => [kind, value, id].join(' ')

/** Returns the switches after the change. Throws `bad_request` for a rule that is not built in. */
function changedSwitches(
  switches: readonly RuleSwitch[],
  { rules = [] }: Static<typeof PreviewBody>,
  now: Date,
): RuleSwitch[] {
  const keyOf = ({ rule, siteId }: Pick<RuleSwitch, 'rule' | 'siteId'>) => `${rule} ${siteId}`
  const byKey = new Map(switches.map((each) => [keyOf(each), each]))
  const ids = new Set(builtInRules().map(({ rule }) => rule))
  rules.forEach(({ rule, enabled, site_id: siteId = null }, index) => {
    if (!ids.has(rule)) throw badField(`rules[${index}].rule`, 'a built-in rule')
    const key = keyOf({ rule, siteId })
    if (enabled === null) byKey.delete(key)
    else byKey.set(key, { rule, siteId, isEnabled: enabled, note: null, lastUpdated: now })
  })
  return [...byKey.values()]
}

function differenceView({ kind, message, before, after }: Difference): object {
  const verdictView = (verdict: Verdict | null) =>
    verdict && { ...verdict, cause: message.text.slice(verdict.from, verdict.to) }
  return {
    change: kind,
    message_id: message.id,
    site_id: message.siteId,
    seller_id: message.sellerId,
    pack_id: message.packId,
    writer: message.fromId === message.sellerId ? 'seller' : 'buyer',
    date_created: timestamp(message.dateCreated),
    status: message.status,
    before: verdictView(before),
    after: verdictView(after),
  }
}

export const moderationPreviewAdminRoutes: Route[] = [postPreview]
