import { setTimeout as sleep } from 'node:timers/promises'
import { describeTlsProblem, TlsFailure } from '../connection.ts'
import { CommandFailure } from '../failure.ts'
import type { Check, Who } from './check.ts'
import { filled, filledBody, Lacking, type Material } from './fill.ts'
import { type Answered, at, type Rule } from './rules.ts'
import { differences } from './shape.ts'

/** What came of a check. `why` says what differs, or what it could not be tried for the want of. */
export interface Result {
  section: string
  says: string
  request: string
  outcome: 'passed' | 'failed' | 'skipped'
  why: readonly string[]
  isOpen: boolean
}

/** Whom the server knows, by their tokens. */
export type Tokens = Partial<Record<Who, string>>

/** A server, as checks ask it. */
export interface Asking {
  address: string
  tokens: Tokens
  material: Material
  mayWrite: boolean
  /** What could have been had to fill a brace, by its name. */
  lacks: (name: string) => string
}

const answerMs = 30_000
const patienceMs = 10_000
const longestPauseSeconds = 60

export async function runCheck(check: Check, asking: Asking): Promise<Result> {
  const { section, says, ask, open } = check
  const result = { section, says, request: ask, isOpen: open === true }
  const skipped = (why: string): Result => ({ ...result, outcome: 'skipped', why: [why] })
  if (check.writes && !asking.mayWrite) return skipped('it makes or changes something: --write')
  const who = check.as ?? 'seller'
  if (who !== 'nobody' && asking.tokens[who] === undefined) {
    return skipped(`there is no token of a ${who}: --${who}-token, or --operator-token`)
  }
  try {
    const request = filled(ask, asking.material)
    const deadline = performance.now() + (check.patient ? patienceMs : 0)
    for (;;) {
      const answered = await send(check, asking)
      const why = differs(check, answered, asking.material)
      if (why.length > 0 && performance.now() < deadline) {
        await sleep(200)
        continue
      }
      if (why.length === 0) keep(check, answered, asking.material)
      return { ...result, request, outcome: why.length === 0 ? 'passed' : 'failed', why }
    }
  } catch (error) {
    if (!(error instanceof Lacking)) throw error
    return skipped(asking.lacks(error.what))
  }
}

function differs(check: Check, answered: Answered, material: Material): string[] {
  const statuses = [check.gives].flat()
  if (!statuses.includes(answered.status)) {
    const words = answered.text.slice(0, 160).replaceAll(/\s+/g, ' ')
    return [`expected status ${statuses.join(' or ')}, found ${answered.status}: ${words}`]
  }
  const heads = Object.entries(check.head ?? {}).flatMap(([name, wanted]) => {
    const found = answered.headers.get(name)
    return wanted.test(found ?? '') ? [] : [`header ${name}: expected ${wanted}, found ${found}`]
  })
  const shape = check.body === undefined ? [] : differences(check.body, answered.body)
  if (heads.length + shape.length > 0) return [...heads, ...shape]
  return (check.holds ?? []).flatMap((rule) => holding(rule, answered, material) ?? [])
}

/** A rule looks where the contract says that something is: what is not there makes it fail. */
function holding(rule: Rule, answered: Answered, material: Material): string | undefined {
  try {
    return rule(answered, material)
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return error.message
    throw error
  }
}

function keep({ keeps = {} }: Check, { body }: Answered, material: Material): void {
  for (const [name, place] of Object.entries(keeps)) {
    const value = at(body, place)
    if (value !== undefined && value !== null) material.set(name, value)
  }
}

/** Asks as the check says. An answer that asks to wait a little is waited for. */
export async function send(check: Check, asking: Asking): Promise<Answered> {
  const { material, tokens, address } = asking
  const [method = 'GET', path = '/'] = filled(check.ask, material).split(/ (.*)/s)
  const who = check.as ?? 'seller'
  const token = who === 'nobody' ? undefined : tokens[who]
  const { body, type } = bodyOf(check, material)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(type === undefined ? {} : { 'content-type': type }),
    ...Object.fromEntries(
      Object.entries(check.headers ?? {}).map(([name, value]) => [
        name,
        filled(value, material, String),
      ]),
    ),
  }
  for (let tries = 0; ; tries++) {
    const signal = AbortSignal.timeout(answerMs)
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

async function readAnswer(answer: Response): Promise<Answered> {
  const text = await answer.text()
  const { status, headers } = answer
  try {
    return { status, headers, text, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return { status, headers, text, body: undefined }
  }
}

function bodyOf({ send: given, file }: Check, material: Material) {
  if (file) {
    const bytes = typeof file.bytes === 'number' ? new Uint8Array(file.bytes) : file.bytes
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)], { type: file.type }), file.name)
    return { body: form, type: undefined }
  }
  if (given === undefined) return { body: undefined, type: undefined }
  const isRaw = typeof given === 'string'
  return {
    body: isRaw ? given : JSON.stringify(filledBody(given, material)),
    type: 'application/json',
  }
}
