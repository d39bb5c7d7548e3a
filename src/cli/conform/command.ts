import { type ConformOptions, listSections, runChecks } from '../../conform/conform.ts'
import type { HttpClient } from '../../conform/http-client.ts'
import { type CheckResult, ConformFailure } from '../../conform/result.ts'
import { systemRandom } from '../../platform/random.ts'
import { applicationOfToken } from '../client/client.ts'
import { describeTlsProblem, TlsFailure } from '../client/connection.ts'
import { CommandFailure, exitCodes, UsageFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { countByOutcome, printResult, printSection, printTotals } from './report.ts'

export interface ConformCommandOptions {
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
export async function conformCommand(options: ConformCommandOptions, out: Output): Promise<number> {
  const selection = { section: options.section, contractOnly: options['contract-only'] }
  const sections = listSections(selection)
  if (sections.length === 0) {
    const all = listSections().map(({ section }) => section)
    throw new UsageFailure(`--section: expected one of ${all.join(', ')}`)
  }
  const results: CheckResult[] = []
  try {
    const running = runChecks(httpClientOf(options.url), {
      ...conformOptionsOf(options),
      ...selection,
    })
    for await (const result of running) results.push(result)
  } catch (error) {
    throw error instanceof ConformFailure ? commandFailureOf(error) : error
  }
  const shown = { out, all: options.all === true }
  for (const { section, title } of sections) {
    const members = results.filter((result) => result.section === section)
    for (const result of members) printResult(result, shown)
    if (!out.isJson) printSection({ section, title }, { ...shown, results: members })
  }
  printTotals(results, out)
  return countByOutcome(results).failed > 0 ? exitCodes.failed : exitCodes.done
}

function conformOptionsOf(options: ConformCommandOptions): ConformOptions {
  const { token: seller } = options
  return {
    tokens: { seller, buyer: options['buyer-token'], stranger: options['stranger-token'] },
    operatorToken: options['operator-token'],
    application: options.application ?? applicationOfToken(seller),
    mayWrite: options.write,
    now: () => new Date(),
    random: systemRandom.fraction,
  }
}

function commandFailureOf({ reason, message }: ConformFailure): Error {
  switch (reason) {
    case 'not_a_seller':
      return new UsageFailure(
        '--token: expected an access token of a seller; GET /users/me refuses it',
      )
    case 'no_third_user':
      return new CommandFailure(`${message} Use --stranger-token.`)
    default:
      return new CommandFailure(message)
  }
}

/** Returns a client that words what goes wrong with the connection. */
function httpClientOf(url: string): HttpClient {
  const address = url.replace(/\/+$/, '')
  return {
    address,
    async send({ path, ...request }) {
      const answer = await fetch(address + path, { ...request, redirect: 'manual' }).catch(
        (error: Error) => {
          const problem = describeTlsProblem(address, error)
          if (problem !== undefined) throw new TlsFailure(problem)
          const { code = error.message } = (error.cause ?? {}) as { code?: string }
          throw new CommandFailure(`There is no server at ${address} that answers (${code}).`)
        },
      )
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
  }
}
