import type { CallerRole, ConformCheck } from './checks/check.ts'
import { checks, titleOf } from './checks/table.ts'
import { withFixtures } from './fixtures.ts'
import type { HttpClient } from './http-client.ts'
import { findPlaceholderValues } from './placeholder-finders.ts'
import { type CheckResult, ConformFailure } from './result.ts'
import { type ConformSession, runCheck } from './run.ts'

/** The interface of the conformance checks. They know a server by its HTTP interface only. */

/** Which checks of the contract. Default: all. */
export interface CheckSelection {
  /** A section with those below it: `4` or `4.1`. */
  section?: string | undefined
  /** Leaves out checks of behavior that the contract does not fix. */
  contractOnly?: boolean | undefined
}

export interface ConformOptions extends CheckSelection {
  /** Access tokens: of a seller with orders, of the buyer of one, and of a user who is no party to them. */
  tokens: { seller: string } & Partial<Record<'buyer' | 'stranger', string | undefined>>
  /** The operator token, if the server is a Feria: it issues the missing tokens and makes what sellers cannot. */
  operatorToken?: string | undefined
  /** The application of the tokens, whose feed is checked. */
  application?: number | undefined
  /** Runs the checks that create or change something, too. Default: false. */
  mayWrite?: boolean | undefined
  now: () => Date
  /** Returns a number from 0 to below 1. */
  random: () => number
}

/** A section of the contract and its number of checks. */
export interface ContractSection {
  section: string
  title: string
  checks: number
}

/** Returns the sections that have checks, in the order of the contract. */
export function listSections(selection: CheckSelection = {}): ContractSection[] {
  const sections = Map.groupBy(checksOf(selection), ({ section }) => section)
  return [...sections]
    .map(([section, members]) => ({ section, title: titleOf(section), checks: members.length }))
    .toSorted((a, b) => a.section.localeCompare(b.section, 'en', { numeric: true }))
}

/**
 * Runs the checks against a server and yields their results, in the order in which later ones use what earlier ones
 * create. Throws `ConformFailure` if it cannot begin, and what `client` throws.
 */
export async function* runChecks(
  client: HttpClient,
  options: ConformOptions,
): AsyncGenerator<CheckResult> {
  const session = sessionOf(client, options)
  await findPlaceholderValues(session)
  if (!session.material.has('user')) {
    throw new ConformFailure('not_a_seller', 'GET /users/me refuses the token of the seller.')
  }
  const run = () => runAll(checksOf(options), session)
  const { operatorToken } = options
  yield* operatorToken === undefined ? run() : withFixtures(session, operatorToken, run)
}

async function* runAll(chosen: readonly ConformCheck[], session: ConformSession) {
  for (const check of chosen) yield await runCheck(check, session)
}

function checksOf({ section, contractOnly }: CheckSelection): ConformCheck[] {
  return checks.filter((check) => {
    if (contractOnly && check.open) return false
    return !section || check.section === section || check.section.startsWith(`${section}.`)
  })
}

/** Returns the session of a run: the server, the tokens of its roles, and the ids that checks fill in. */
function sessionOf(client: HttpClient, options: ConformOptions): ConformSession {
  const { tokens, application, mayWrite = false, now, random } = options
  const presentTokens = Object.entries(tokens).filter(([, token]) => token !== undefined)
  return {
    client,
    tokens: {
      ...(Object.fromEntries(presentTokens) as Partial<Record<CallerRole, string>>),
      // No server has issued it.
      intruder: 'APP_USR-1-010100-00000000000000000000000000000000-1',
    },
    material: new Map<string, string | number>([
      ['token', tokens.seller],
      ...(application === undefined ? [] : [['application', application] as const]),
    ]),
    mayWrite,
    now,
    random,
  }
}
