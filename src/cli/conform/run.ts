import { setTimeout as sleep } from 'node:timers/promises'
import { describeTlsProblem, TlsFailure } from '../client/connection.ts'
import { CommandFailure } from '../frame/failure.ts'
import type { CallerRole, ConformCheck } from './checks/check.ts'
import {
  filledBody,
  fillPlaceholders,
  MissingPlaceholder,
  type PlaceholderValues,
} from './checks/placeholders.ts'
import { type CheckedResponse, type Rule, valueAt } from './checks/rules.ts'
import { differences } from './checks/shape.ts'

/** The result of a check. `why` lists the differences, or the reason why it was skipped. */
export interface ConformResult {
  section: string
  says: string
  request: string
  outcome: 'passed' | 'failed' | 'skipped'
  why: readonly string[]
  isOpen: boolean
}

/** Access tokens by caller. */
type TokensByRole = Partial<Record<CallerRole, string>>

/** A run of checks against a server. */
export interface ConformSession {
  address: string
  tokens: TokensByRole
  material: PlaceholderValues
  mayWrite: boolean
  /** Returns why a name in braces has no value. */
  missingReasonOf: (name: string) => string
}

const requestTimeoutMs = 30_000
const patienceMs = 10_000
const longestPauseSeconds = 60

/** Runs a check. It is skipped if it writes without permission, or if a token or an id that it needs is missing. */
export async function runCheck(
  check: ConformCheck,
  session: ConformSession,
): Promise<ConformResult> {
  const { section, says, ask, open } = check
  const result = { section, says, request: ask, isOpen: open === true }
  const skipped = (why: string): ConformResult => ({ ...result, outcome: 'skipped', why: [why] })
  if (check.writes && !session.mayWrite)
    return skipped('it creates or changes something: use --write')
  const who = check.as ?? 'seller'
  if (who !== 'nobody' && session.tokens[who] === undefined) {
    return skipped(`there is no token of a ${who}: use --${who}-token or --operator-token`)
  }
  try {
    const request = fillPlaceholders(ask, session.material)
    const deadline = performance.now() + (check.patient ? patienceMs : 0)
    for (;;) {
      const answered = await sendCheck(check, session)
      const why = differencesOf(check, answered, session.material)
      if (why.length > 0 && performance.now() < deadline) {
        await sleep(200)
        continue
      }
      if (why.length === 0) keepValues(check, answered, session.material)
      return { ...result, request, outcome: why.length === 0 ? 'passed' : 'failed', why }
    }
  } catch (error) {
    if (!(error instanceof MissingPlaceholder)) throw error
    return skipped(session.missingReasonOf(error.placeholder))
  }
}

function differencesOf(
  check: ConformCheck,
  answered: CheckedResponse,
  material: PlaceholderValues,
): string[] {
  const statuses = [check.gives].flat()
  if (!statuses.includes(answered.status)) {
    const excerpt = answered.text.slice(0, 160).replaceAll(/\s+/g, ' ')
    return [`expected status ${statuses.join(' or ')}, found ${answered.status}: ${excerpt}`]
  }
  const headers = Object.entries(check.head ?? {}).flatMap(([name, pattern]) => {
    const found = answered.headers.get(name)
    return pattern.test(found ?? '') ? [] : [`header ${name}: expected ${pattern}, found ${found}`]
  })
  const shape = check.body === undefined ? [] : differences(check.body, answered.body)
  if (headers.length + shape.length > 0) return [...headers, ...shape]
  return (check.holds ?? []).flatMap((rule) => applyRule(rule, answered, material) ?? [])
}

/** Applies a rule. It may throw where the answer lacks what it reads, which counts as a failure. */
function applyRule(
  rule: Rule,
  answered: CheckedResponse,
  material: PlaceholderValues,
): string | undefined {
  try {
    return rule(answered, material)
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return error.message
    throw error
  }
}

function keepValues(
  { keeps = {} }: ConformCheck,
  { body }: CheckedResponse,
  material: PlaceholderValues,
): void {
  for (const [name, place] of Object.entries(keeps)) {
    const value = valueAt(body, place)
    if (value !== undefined && value !== null) material.set(name, value as string | number)
  }
}

/** Sends the request of a check. Retries a 429 after its `Retry-After`, up to three times. */
export async function sendCheck(
  check: ConformCheck,
  session: ConformSession,
): Promise<CheckedResponse> {
  const { material, tokens, address } = session
  const [method = 'GET', path = '/'] = fillPlaceholders(check.ask, material).split(/ (.*)/s)
  const who = check.as ?? 'seller'
  const token = who === 'nobody' ? undefined : tokens[who]
  const { body, type } = requestBodyOf(check, material)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
    ...Object.fromEntries(
      Object.entries(check.headers ?? {}).map(([name, value]) => [
        name,
        fillPlaceholders(value, material, String),
      ]),
    ),
  }
  for (let tries = 0; ; tries++) {
    const signal = AbortSignal.timeout(requestTimeoutMs)
    const init = {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    }
    const answer = await fetch(address + path, init as RequestInit).catch((error: Error) => {
      const problem = describeTlsProblem(address, error)
      if (problem !== undefined) throw new TlsFailure(problem)
      const { code = error.message } = (error.cause ?? {}) as { code?: string }
      throw new CommandFailure(`There is no server at ${address} that answers (${code}).`)
    })
    const pause = Number(answer.headers.get('retry-after') ?? Number.NaN)
    if (answer.status === 429 && tries < 3 && pause <= longestPauseSeconds) {
      await answer.body?.cancel()
      await sleep(pause * 1000)
      continue
    }
    return readAnswer(answer)
  }
}

async function readAnswer(answer: Response): Promise<CheckedResponse> {
  const text = await answer.text()
  const { status, headers } = answer
  try {
    return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return { status, headers, text, body: undefined }
  }
}

function requestBodyOf({ send: content, file }: ConformCheck, material: PlaceholderValues) {
  if (file) {
    const bytes = typeof file.bytes === 'number' ? new Uint8Array(file.bytes) : file.bytes
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)], { type: file.type }), file.name)
    return { body: form, type: undefined }
  }
  if (content === undefined) return { body: undefined, type: undefined }
  const isRaw = typeof content === 'string'
  return {
    body: isRaw ? content : JSON.stringify(filledBody(content, material)),
    type: 'application/json',
  }
}
