import { Type } from 'typebox'
import { ok, type Route, route } from '../../../http/route.ts'
import { siteInBody, siteInQuery } from '../../../http/site-rule.ts'
import { etagOf, withEtagField } from '../../../http/versions.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { OrNull, Site, StrictObject, Timestamp } from '../../../kernel/schema.ts'
import { siteIds } from '../../../kernel/sites.ts'
import { type BuiltInRule, builtInRules } from '../../../moderation/built-in-rules.ts'
import { moderationReasons } from '../../../moderation/reason.ts'
import { ModerationTerms } from '../../../moderation/terms.ts'
import { periodOf, periodQuery } from '../decisions/period.ts'
import { countDecisions, type DecisionCount } from '../decisions/store.ts'
import {
  deleteRuleSwitch,
  listRuleSwitches,
  saveRuleSwitch,
  saveTermsVersion,
} from '../terms/store.ts'
import { auditedRuleId, type RuleState, stateOfRule, versionedRule } from '../terms/versioned.ts'

const tag = 'Operator: moderation'
const Reason = Type.Enum([...moderationReasons])
const Count = Type.Integer({ minimum: 0 })
const Enabled = Type.Boolean({ description: 'Whether its matches count.' })

const SwitchAnswer = Type.Object({
  site_id: OrNull({ ...Site, description: 'The site it applies to. Null: all sites.' }),
  enabled: Enabled,
  note: OrNull(Type.String()),
  last_updated: Timestamp,
})
const Switches = Type.Array(SwitchAnswer, {
  description:
    'Where you switched it off or on. A site precedes all sites. Empty: it is on everywhere.',
})
const SwitchedRuleAnswer = Type.Object({
  rule: Type.String(),
  reason: Reason,
  switches: Switches,
})

const RuleAnswer = Type.Object({
  rule: OrNull(
    Type.String({
      description:
        'Id of the rule; `operator:<id>` for a term. Null for messages that were held back before they were imported.',
    }),
  ),
  reason: Reason,
  is_built_in: Type.Boolean({ description: 'Whether you can switch it off and on.' }),
  enabled: Type.Boolean({
    description: 'Whether its matches count on `site_id`; without that, on sites without a switch.',
  }),
  switches: Switches,
  held: { ...Count, description: 'Messages that it held back, those you released included.' },
  overruled: { ...Count, description: 'How many of them you released.' },
  sites: Type.Array(Type.Object({ site_id: Site, held: Count, overruled: Count }), {
    description: 'The counts by site, without sites where it held back nothing.',
  }),
})

const getRules = route({
  method: 'GET',
  url: '/operator/moderation/rules',
  scope: 'operator',
  permission: 'moderation:read',
  sites: siteInQuery,
  tag,
  summary: 'Count decisions by rule',
  description:
    'Returns every built-in rule, and every other rule that held a message back in the period: whether it is on, how often it held a message back and how often you released one. The rules with the most held messages are first. 400 `bad_request`: `from` is after `to`.',
  refuses: { bad_request: 'from: expected a time before `to`' },
  query: Type.Object(periodQuery),
  answers: {
    200: Type.Object({
      from: Timestamp,
      to: Timestamp,
      results: Type.Array(withEtagField(RuleAnswer)),
    }),
  },
  async handle({ db, now }, { query, sites }) {
    const period = periodOf(query, now())
    const [counts, switches] = await Promise.all([countDecisions(db, period), listRuleSwitches(db)])
    const terms = new ModerationTerms([], switches)
    const isOn = (rule: string) =>
      period.siteId
        ? !terms.isRuleOff(rule, period.siteId)
        : (switches.find((each) => each.rule === rule && each.siteId === null)?.isEnabled ?? true)
    const builtIn = builtInRules()
    const ids = new Set<string | null>(builtIn.map(({ rule }) => rule))
    const others = new Map(
      counts.filter(({ rule }) => !ids.has(rule)).map((count) => [ruleKey(count), count]),
    )
    const countsByRule = Map.groupBy(counts, ({ rule, reason }) =>
      ids.has(rule) ? String(rule) : ruleKey({ rule, reason }),
    )
    const results = [
      ...builtIn.map(({ rule, reason }) => ({
        rule,
        reason,
        is_built_in: true,
        enabled: isOn(rule),
        ...versionedSwitches(stateOfRule(switches, { rule, sites }), now()),
        ...sumsOf(countsByRule.get(rule) ?? []),
      })),
      ...[...others].map(([key, { rule, reason }]) => ({
        rule,
        reason,
        is_built_in: false,
        enabled: true,
        ...versionedSwitches({ switches: [] }, now()),
        ...sumsOf(countsByRule.get(key) ?? []),
      })),
    ].sort((one, other) => other.held - one.held)
    return ok({ from: timestamp(period.from), to: timestamp(period.to), results })
  },
})

/** A rule that is not built in may have several reasons: a term that was replaced, or none at all. */
function ruleKey({ rule, reason }: Pick<DecisionCount, 'rule' | 'reason'>): string {
  return JSON.stringify([rule, reason])
}

function sumsOf(counts: readonly DecisionCount[]) {
  const sites = [...Map.groupBy(counts, ({ siteId }) => siteId)].map(([site_id, ofSite]) => ({
    site_id,
    held: ofSite.reduce((sum, { held }) => sum + held, 0),
    overruled: ofSite.reduce((sum, { overruled }) => sum + overruled, 0),
  }))
  return {
    held: sites.reduce((sum, { held }) => sum + held, 0),
    overruled: sites.reduce((sum, { overruled }) => sum + overruled, 0),
    sites,
  }
}

function versionedSwitches(state: RuleState, now: Date) {
  return { switches: switchesView(state), etag: etagOf(state, now) }
}

function switchesView({ switches }: RuleState): object[] {
  return switches.map(({ siteId, isEnabled, note, lastUpdated }) => ({
    site_id: siteId,
    enabled: isEnabled,
    note,
    last_updated: timestamp(lastUpdated),
  }))
}

/** Returns a built-in rule. Throws `not_found`. */
function findBuiltInRule(id: string): BuiltInRule {
  const builtIn = builtInRules().find(({ rule }) => rule === id)
  if (!builtIn) throw new Failure('not_found', `Rule not found: ${id}`)
  return builtIn
}

const putRule = route({
  method: 'PUT',
  url: '/operator/moderation/rules/:rule',
  scope: 'operator',
  permission: 'moderation:write',
  sites: siteInBody,
  audits: 'moderation_rule',
  versioned: versionedRule,
  tag,
  summary: 'Switch a rule of moderation off or on',
  description:
    'Switches a built-in rule off or on, on one site or on all, from the next message on. Matches of a rule that is off do not count; the next match of the text does. A switch of a site precedes that of all sites. `enabled` null removes the switch. 404 `not_found`: no built-in rule has this id; delete a term of yours instead.',
  refuses: { not_found: 'Rule not found: contact.fax' },
  params: Type.Object({ rule: Type.String() }),
  body: StrictObject({
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
    note: Type.Optional(
      OrNull(
        Type.String({ minLength: 1, maxLength: 500, description: 'Your remark. Default: none' }),
      ),
    ),
  }),
  answers: { 200: SwitchedRuleAnswer },
  async handle({ audit, db, now, random }, { params, body, sites }) {
    const { rule, reason } = findBuiltInRule(params.rule)
    const { enabled, site_id: siteId = null, note = null } = body
    if (siteId !== null) {
      audit.target(auditedRuleId(rule, siteId))
      audit.relate('moderation_rule', rule)
    }
    const switches = await db.transaction(async (tx) => {
      // First, so that concurrent changes run one after the other.
      await saveTermsVersion(tx, random.hex(16))
      const change = { rule, siteId, note, lastUpdated: now() }
      const before = (await listRuleSwitches(tx)).find(
        (each) => each.rule === rule && each.siteId === siteId,
      )
      audit.change({
        before: { site_id: siteId, enabled: before?.isEnabled ?? null, note: before?.note ?? null },
        after: { site_id: siteId, enabled, note },
      })
      if (enabled === null) await deleteRuleSwitch(tx, change)
      else await saveRuleSwitch(tx, { ...change, isEnabled: enabled })
      return listRuleSwitches(tx)
    })
    const state = stateOfRule(switches, { rule, sites })
    return { ...ok({ rule, reason, switches: switchesView(state) }), state }
  },
})

export const moderationRulesAdminRoutes: Route[] = [getRules, putRule]
