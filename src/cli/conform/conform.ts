import { applicationOfToken } from '../client.ts'
import { exits, UsageFailure } from '../failure.ts'
import type { Output } from '../frame/output.ts'
import type { Check } from './check.ts'
import type { Material } from './fill.ts'
import { gather, lacks } from './material.ts'
import { countsOf, printResult, printSection, printTotals } from './report.ts'
import { type Asking, type Result, runCheck } from './run.ts'
import { onStage } from './stage.ts'
import { checks, titleOf } from './table/table.ts'

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

/** `feria conform`: the contract as requests against any server that speaks it. Reads only, unless it
 * may write. Ends with 1 when something differs. */
export async function conformCommand(options: ConformOptions, out: Output): Promise<number> {
  const chosen = chosenBy(options)
  const asking = askingOf(options)
  await gather(asking)
  if (!asking.material.has('user')) {
    throw new UsageFailure(
      '--token: expected an access token of a seller; GET /users/me refuses it',
    )
  }
  const operatorToken = options['operator-token']
  const results = operatorToken
    ? await onStage(asking, operatorToken, () => runAll(chosen, asking))
    : await runAll(chosen, asking)
  printSummary(results, { out, all: options.all === true })
  return countsOf(results).failed > 0 ? exits.failed : exits.done
}

/** One after the other, in the order of the table: what is made comes before what needs it. */
async function runAll(chosen: readonly Check[], asking: Asking): Promise<Result[]> {
  const results: Result[] = []
  for (const check of chosen) results.push(await runCheck(check, asking))
  return results
}

/** Section by section, as the contract has them. */
function printSummary(results: readonly Result[], how: { out: Output; all: boolean }): void {
  const sections = [...Map.groupBy(results, ({ section }) => section)]
  for (const [section, of] of sections.toSorted(([a], [b]) => inOrder(a, b))) {
    for (const result of of) printResult(result, how)
    if (!how.out.isJson) printSection({ section, title: titleOf(section) }, { ...how, results: of })
  }
  printTotals(results, how.out)
}

const inOrder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

function chosenBy(options: ConformOptions): Check[] {
  const { section } = options
  const chosen = checks.filter((check) => {
    if (options['contract-only'] && check.open) return false
    return !section || check.section === section || check.section.startsWith(`${section}.`)
  })
  if (chosen.length === 0) {
    const known = [...new Set(checks.map((check) => check.section))].sort(inOrder)
    throw new UsageFailure(`--section: expected one of ${known.join(', ')}`)
  }
  return chosen
}

function askingOf(options: ConformOptions): Asking {
  const material: Material = new Map([['token', options.token]])
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
    lacks,
  }
}
