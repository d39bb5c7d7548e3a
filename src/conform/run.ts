import { setTimeout as sleep } from 'node:timers/promises'
import type { CallerRole, ConformCheck } from './checks/check.ts'
import {
  filledBody,
  fillPlaceholders,
  MissingPlaceholder,
  type PlaceholderValues,
} from './checks/placeholders.ts'
import { type CheckedResponse, type Rule, valueAt } from './checks/rules.ts'
import { differences } from './checks/shape.ts'
import type { HttpClient } from './http-client.ts'
import { missingReasonOf } from './missing-reasons.ts'
import type { CheckResult, MissingInput } from './result.ts'

/** Access tokens by caller. */
type TokensByRole = Partial<Record<CallerRole, string>>

/** A run of checks against a server. */
export interface ConformSession {
  client: HttpClient
  tokens: TokensByRole
  material: PlaceholderValues
  mayWrite: boolean
  now: () => Date
  /** Returns a number from 0 to below 1. */
  random: () => number
}

const requestTimeoutMs = 30_000
const patienceMs = 10_000
const longestPauseSeconds = 60

/** Runs a check. It is skipped if it writes without permission, or if a token or an id that it needs is missing. */
export async function runCheck(check: ConformCheck, session: ConformSession): Promise<CheckResult> {
  const { section, says, ask, open } = check
  const result = { section, says, request: ask, differences: [], isOpen: open === true }
  const skipped = (lacks: MissingInput): CheckResult => ({ ...result, outcome: 'skipped', lacks })
  if (check.writes && !session.mayWrite) return skipped({ kind: 'permission' })
  const role = check.as ?? 'seller'
  if (role !== 'nobody' && session.tokens[role] === undefined) {
    return skipped({ kind: 'token', role })
  }
  try {
    const request = fillPlaceholders(ask, session.material)
    const deadline = performance.now() + (check.patient ? patienceMs : 0)
    for (;;) {
      const response = await sendCheck(check, session)
      const differences = differencesOf(check, response, session.material)
      if (differences.length > 0 && performance.now() < deadline) {
        await sleep(200)
        continue
      }
      if (differences.length > 0) return { ...result, request, outcome: 'failed', differences }
      keepValues(check, response, session.material)
      return { ...result, request, outcome: 'passed' }
    }
  } catch (error) {
    if (!(error instanceof MissingPlaceholder)) throw error
    const name = error.placeholder
    return skipped({ kind: 'value', name, reason: missingReasonOf(name) })
  }
}

function differencesOf(
  check: ConformCheck,
  response: CheckedResponse,
  material: PlaceholderValues,
): string[] {
  const statuses = [check.gives].flat()
  if (!statuses.includes(response.status)) {
    const excerpt = response.text.slice(0, 160).replaceAll(/\s+/g, ' ')
    return [`expected status ${statuses.join(' or ')}, found ${response.status}: ${excerpt}`]
  }
  const headers = Object.entries(check.head ?? {}).flatMap(([name, pattern]) => {
    const value = response.headers.get(name)
    return pattern.test(value ?? '') ? [] : [`header ${name}: expected ${pattern}, found ${value}`]
  })
  const shape = check.body === undefined ? [] : differences(check.body, response.body)
  if (headers.length + shape.length > 0) return [...headers, ...shape]
  return (check.holds ?? []).flatMap((rule) => applyRule(rule, response, material) ?? [])
}

/** Applies a rule. It may throw where the answer lacks what it reads, which counts as a failure. */
function applyRule(
  rule: Rule,
  response: CheckedResponse,
  material: PlaceholderValues,
): string | undefined {
  try {
    return rule(response, material)
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
  for (const [name, path] of Object.entries(keeps)) {
    const value = valueAt(body, path)
    if (value !== undefined && value !== null) material.set(name, value as string | number)
  }
}

/** Sends the request of a check. Retries a 429 after its `Retry-After`, up to three times. */
export async function sendCheck(
  check: ConformCheck,
  session: ConformSession,
): Promise<CheckedResponse> {
  const { material, tokens, client } = session
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
    const request = { method, path, headers, signal }
    const answer = await client.send(body === undefined ? request : { ...request, body })
    const pause = Number(answer.headers.get('retry-after') ?? Number.NaN)
    if (answer.status === 429 && tries < 3 && pause <= longestPauseSeconds) {
      await sleep(pause * 1000)
      continue
    }
    return { ...answer, body: parseJson(answer.text) }
  }
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function requestBodyOf(
  { send: content, file }: ConformCheck,
  material: PlaceholderValues,
): { body: string | FormData | undefined; type: string | undefined } {
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
