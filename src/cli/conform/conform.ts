import { applicationOfToken } from '../client/client.ts'
import { exitCodes, UsageFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import type { ConformCheck } from './checks/check.ts'
import type { PlaceholderValues } from './checks/placeholders.ts'
import { checks, titleOf } from './checks/table.ts'
import { withFixtures } from './fixtures.ts'
import { findPlaceholderValues, missingReasonOf } from './placeholder-finders.ts'
import { countByOutcome, printResult, printSection, printTotals } from './report.ts'
import { type ConformResult, type ConformSession, runCheck } from './run.ts'

export interface ConformOptions {
  url: string
  token: string
  'buyer-token'?: string
  'stranger-token'?: string
  'operator-token'?: string
  application?: number
  section?: string
  write?: true
  'contract-only'?: true
  all?: true
}

/** `feria conform`: runs the checks against a server. Only reads without `--write`. Returns 1 if something differs. */
export async function conformCommand(options: ConformOptions, out: Output): Promise<number> {
  const chosen = chosenBy(options)
  const session = sessionOf(options)
  await findPlaceholderValues(session)
  if (!session.material.has('user')) {
    throw new UsageFailure(
      '--token: expected an access token of a seller; GET /users/me refuses it',
    )
  }
  const operatorToken = options['operator-token']
  const results = operatorToken
    ? await withFixtures(session, operatorToken, () => runAll(chosen, session))
    : await runAll(chosen, session)
  printSummary(results, { out, all: options.all === true })
  return countByOutcome(results).failed > 0 ? exitCodes.failed : exitCodes.done
}

/** Runs the checks in the order of the table, because later ones use what earlier ones create. */
async function runAll(
  chosen: readonly ConformCheck[],
  session: ConformSession,
): Promise<ConformResult[]> {
  const results: ConformResult[] = []
  for (const check of chosen) results.push(await runCheck(check, session))
  return results
}

/** Prints the results by section. */
function printSummary(
  results: readonly ConformResult[],
  options: { out: Output; all: boolean },
): void {
  const sections = [...Map.groupBy(results, ({ section }) => section)]
  for (const [section, members] of sections.toSorted(([a], [b]) => inOrder(a, b))) {
    for (const result of members) printResult(result, options)
    if (!options.out.isJson) {
      printSection({ section, title: titleOf(section) }, { ...options, results: members })
    }
  }
  printTotals(results, options.out)
}

const inOrder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

function chosenBy(options: ConformOptions): ConformCheck[] {
  const { section } = options
  const chosen = checks.filter((check) => {
    if (options['contract-only'] && check.open) return false
    return !section || check.section === section || check.section.startsWith(`${section}.`)
  })
  if (chosen.length === 0) {
    const sections = [...new Set(checks.map((check) => check.section))].sort(inOrder)
    throw new UsageFailure(`--section: expected one of ${sections.join(', ')}`)
  }
  return chosen
}

/** Returns the session of a run: the server, the tokens of its roles, and the ids that checks fill in. `intruder`
 * has a token that no server has issued. */
function sessionOf(options: ConformOptions): ConformSession {
  const material: PlaceholderValues = new Map([['token', options.token]])
  const application = options.application ?? applicationOfToken(options.token)
  if (application !== undefined) material.set('application', application)
  const [buyer, stranger] = [options['buyer-token'], options['stranger-token']]
  return {
    address: options.url.replace(/\/+$/, ''),
    tokens: {
      seller: options.token,
      intruder: 'APP_USR-1-010100-00000000000000000000000000000000-1',
      ...(buyer === undefined ? {} : { buyer }),
      ...(stranger === undefined ? {} : { stranger }),
    },
    material,
    mayWrite: options.write === true,
    missingReasonOf,
  }
}
