import type { OrderPartName } from '../../orders/view.ts'
import type {
  RequestFacts,
  SimulatedFaults,
  SimulatedRefusal,
} from '../../platform/simulated-faults.ts'
import { hashFraction } from '../hash-fraction.ts'

/** Kinds of faults of answers. The first one that leaves no answer decides. */
export const answerFaultKinds = ['slow', 'reset', 'conflict', 'limit', 'failure', 'parts'] as const
export type AnswerFaultKind = (typeof answerFaultKinds)[number]

export const failureStatuses = [500, 502, 503, 504] as const

/** A simulated fault of answers. A null field matches every request. */
export interface AnswerFault {
  name: string
  kind: AnswerFaultKind
  applicationId: number | null
  method: string | null
  /** An operation as the reference writes it (`/orders/{order_id}`), or a path where `*` matches anything. */
  path: string | null
  /** The share of matching requests that the fault affects, from 0 to 1. */
  share: number
  /** Seed of the random choice, together with the number of the matching request. */
  seed: number
  /** How often the fault happens at most; null without a limit. */
  times: number | null
  /** Only for `failure`. */
  status: (typeof failureStatuses)[number]
  /** Only for `limit`, in seconds. */
  retryAfter: number
  /** Only for `slow`. */
  delayMs: number
  /** Only for `parts`. */
  parts: readonly OrderPartName[]
  /** Only for `reset`, `failure` and `conflict`: the request is executed, and its answer is lost. */
  isDone: boolean
}

/** Returns whether the fault matches a request. */
export function matchesRequest(fault: AnswerFault, request: RequestFacts): boolean {
  const { method, route, path, applicationId, mayLackParts } = request
  if (fault.kind === 'parts' && !mayLackParts) return false
  if (fault.applicationId !== null && fault.applicationId !== applicationId) return false
  if (fault.method !== null && fault.method !== method) return false
  if (fault.path === null || fault.path === documentedPath(route)) return true
  return patternOf(fault.path).test(path)
}

/** The operation whose answers may lack parts (206). An order search answers with all parts or not at all. */
export const partsOperation = { method: 'GET', path: '/orders/{order_id}' } as const

/** Returns whether a path pattern matches the path of an order, the only one that `parts` affects. */
export function matchesAnOrder(path: string): boolean {
  if (path === partsOperation.path) return true
  // If the pattern matches any order, it matches the one whose id has just the digits of the pattern.
  return patternOf(path).test(`/orders/${path.replace(/\D/g, '') || '1'}`)
}

/** Returns the path of a route as the reference page writes it. */
function documentedPath(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}

function patternOf(path: string): RegExp {
  const plain = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return RegExp(`^${plain.replaceAll('*', '.*')}$`)
}

/** Returns whether the fault affects the request of this number, counted from 1 among the matching ones. */
export function affectsRequestNumber({ name, seed, share }: AnswerFault, number: number): boolean {
  return hashFraction([seed, name, number].join(' ')) < share
}

/** Combines the faults that affect a request, or returns undefined without any. */
export function interferenceOf(faults: readonly AnswerFault[]): SimulatedFaults | undefined {
  if (faults.length === 0) return undefined
  const inOrder = faults.toSorted(
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

function refusalOf({ kind, status, retryAfter }: AnswerFault): SimulatedRefusal | undefined {
  if (kind === 'conflict') return { status: 409 }
  if (kind === 'limit') return { status: 429, retryAfterSeconds: retryAfter }
  return kind === 'failure' ? { status } : undefined
}
