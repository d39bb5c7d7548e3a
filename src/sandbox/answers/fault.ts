import type { Part } from '../../orders/view.ts'
import type { Arrived, Interference, Refusal } from '../../platform/interference/interference.ts'
import { fractionOf } from '../chance.ts'

/** What may happen to a request, in the order in which it is thought of. */
export const answerFaultKinds = ['slow', 'reset', 'conflict', 'limit', 'failure', 'parts'] as const
export type AnswerFaultKind = (typeof answerFaultKinds)[number]

export const failureStatuses = [500, 502, 503, 504] as const

/** What is pretended of answers. Null is for any. */
export interface AnswerFault {
  name: string
  kind: AnswerFaultKind
  applicationId: number | null
  method: string | null
  /** An operation as the reference writes it (`/orders/{order_id}`), or a path in which `*` is anything. */
  path: string | null
  /** Of so many requests it happens to this part. */
  share: number
  /** What chance follows from, with the number of the request among those that fit. */
  seed: number
  /** At most so often; null for without end. */
  times: number | null
  /** Of `failure`. */
  status: (typeof failureStatuses)[number]
  /** Of `limit`, in seconds. */
  retryAfter: number
  /** Of `slow`. */
  delayMs: number
  /** Of `parts`. */
  parts: readonly Part[]
  /** Of `reset`, `failure` and `conflict`: what was asked is done, and its answer is lost. */
  isDone: boolean
}

/** Whether a request is one that the fault is about. */
export function fits(fault: AnswerFault, arrived: Arrived): boolean {
  const { method, route, path, applicationId, mayLackParts } = arrived
  if (fault.kind === 'parts' && !mayLackParts) return false
  if (fault.applicationId !== null && fault.applicationId !== applicationId) return false
  if (fault.method !== null && fault.method !== method) return false
  if (fault.path === null || fault.path === written(route)) return true
  return patternOf(fault.path).test(path)
}

/** An operation's path as the reference page writes it. */
export function written(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}

function patternOf(path: string): RegExp {
  const plain = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return RegExp(`^${plain.replaceAll('*', '.*')}$`)
}

/** Whether the request of this number, counted from 1 among those that fit, is met. */
export function isMet({ name, seed, share }: AnswerFault, number: number): boolean {
  return fractionOf([seed, name, number].join(' ')) < share
}

/** What the faults that met a request come to; undefined for none. The first kind of those that leave
 * no answer decides. */
export function interferenceOf(met: readonly AnswerFault[]): Interference | undefined {
  if (met.length === 0) return undefined
  const inOrder = met.toSorted(
    (a, b) => answerFaultKinds.indexOf(a.kind) - answerFaultKinds.indexOf(b.kind),
  )
  const reset = inOrder.find(({ kind }) => kind === 'reset')
  const refused = inOrder.find((fault) => refusalOf(fault))
  const ending = reset ?? refused
  return {
    names: inOrder.map(({ name }) => name),
    delayMs: Math.max(0, ...inOrder.map(({ kind, delayMs }) => (kind === 'slow' ? delayMs : 0))),
    reset: reset !== undefined,
    refusal: reset ? undefined : refused && refusalOf(refused),
    parts: inOrder.flatMap(({ kind, parts }) => (kind === 'parts' ? parts : [])),
    isDone: ending?.isDone ?? false,
  }
}

function refusalOf({ kind, status, retryAfter }: AnswerFault): Refusal | undefined {
  if (kind === 'conflict') return { status: 409 }
  if (kind === 'limit') return { status: 429, retryAfterSeconds: retryAfter }
  return kind === 'failure' ? { status } : undefined
}
