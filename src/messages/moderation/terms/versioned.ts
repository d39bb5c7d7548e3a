import { isWithin, type SiteLimit } from '../../../http/site-rule.ts'
import type { VersionedInput, VersionedThing } from '../../../http/versions.ts'
import type { SiteId } from '../../../kernel/sites.ts'
import type { RuleSwitch } from '../../../moderation/terms.ts'
import { findTerm, listRuleSwitches, saveTermsVersion } from './store.ts'

/** Every change of terms and switches takes one lock (`saveTermsVersion`). */

/** A term of moderation. `idOf` returns its id. */
export function versionedTerm(idOf: (input: VersionedInput) => string): VersionedThing {
  return {
    async lock(tx, input, { random }) {
      await saveTermsVersion(tx, random.hex(16))
      return findTerm(tx, idOf(input))
    },
    targets: (input) => [{ kind: 'moderation_term', id: idOf(input) }],
  }
}

/** The switches of a built-in rule that the operator may see. */
export const versionedRule: VersionedThing = {
  async lock(tx, { params, sites }, { random }) {
    await saveTermsVersion(tx, random.hex(16))
    return stateOfRule(await listRuleSwitches(tx), { rule: String(params['rule']), sites })
  },
  targets({ params, sites }) {
    const rule = String(params['rule'])
    const ids = [rule, ...[...(sites ?? [])].map((site) => auditedRuleId(rule, site))]
    return ids.map((id) => ({ kind: 'moderation_rule', id, withRelated: sites === null }))
  },
}

/** Returns how the audit log names the switch of a site. That of all sites has the id of the rule. */
export function auditedRuleId(rule: string, site: SiteId): string {
  return `${rule}/${site}`
}

export interface RuleState {
  switches: readonly RuleSwitch[]
}

/** Returns the switches of a rule that an operator may see: those of the sites, and that of all sites. A rule without any
 * has a version as well. */
export function stateOfRule(
  switches: readonly RuleSwitch[],
  { rule, sites }: { rule: string; sites: SiteLimit },
): RuleState {
  const isVisible = ({ siteId }: RuleSwitch) => siteId === null || isWithin(sites, siteId)
  return { switches: switches.filter((each) => each.rule === rule && isVisible(each)) }
}
