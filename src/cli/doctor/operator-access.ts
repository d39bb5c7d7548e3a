import { type CheckResult, okResult, warning } from './check.ts'
import type { OperatorAccessFacts } from './read-model.ts'

/** Judges by what operators are let in: the token that all share, or accounts. */
export function judgeOperatorAccess(facts: OperatorAccessFacts): CheckResult {
  const name = 'operator accounts'
  const { isTokenEnabled, accounts, owners } = facts
  if (!isTokenEnabled) {
    const says = `${accounts} active, ${owners} of them with the role owner; the operator token is off`
    if (owners > 0) return okResult(name, says)
    return warning(name, says, 'Switch the token on again, as docs/operator-accounts.md says.')
  }
  if (accounts === 0) return okResult(name, 'none: the operator token lets operators in')
  const says = `${accounts} active, and the operator token is still on: it has all rights and no name`
  const advice =
    owners > 0
      ? 'Give programs API keys. Then switch it off: feria operator switch-token off'
      : 'Invite an owner: feria operator invite EMAIL --name NAME --role owner'
  return warning(name, says, advice)
}
