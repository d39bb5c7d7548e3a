import { secondMs } from '../../kernel/clock.ts'

export const replayStates = ['waiting', 'running', 'paused', 'finished', 'cancelled'] as const
export type ReplayState = (typeof replayStates)[number]

/** Those in which something is left to send. */
export const openReplayStates = ['waiting', 'running', 'paused'] as const satisfies ReplayState[]

/** Notifications of one application that are sent once more. */
export interface Replay extends Span {
  id: string
  state: ReplayState
  ratePerSecond: number
  /** How many there were when it was asked for. */
  total: number
  done: number
  accepted: number
  /** `received` of the last one that was sent. */
  positionAt: Date | null
  positionSeq: number
  dateCreated: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** When its rate lets the next one go. */
  nextAt: Date
}

/** Which notifications a replay sends: those received from `since` up to `until`, both included. */
export interface Span {
  applicationId: number
  since: Date
  until: Date
  /** Null for every topic. */
  topics: readonly string[] | null
  failedOnly: boolean
  /** The last number that its lane was done with: whatever has its first delivery before it is not sent
   * by two at a time. */
  upToSeq: number
}

/** What its owner may ask of a replay. */
export const orders = ['paused', 'running', 'cancelled'] as const
export type Order = (typeof orders)[number]

function isOpen(state: ReplayState): boolean {
  return (openReplayStates as readonly ReplayState[]).includes(state)
}

/** The state that an order leads to; undefined when the replay has ended. One that goes on waits for
 * its turn: one replay of an application runs at a time. */
export function stateAfter(state: ReplayState, order: Order): ReplayState | undefined {
  if (!isOpen(state)) return undefined
  if (order !== 'running') return order
  return state === 'paused' ? 'waiting' : state
}

/** Time that was not used is made up for, up to so much of it. */
const creditMs = secondMs

/**
 * How many may go now, at least one, and when the next one may, once it is time for one: in any span of
 * time no more than the rate times it, and one second's more.
 */
export function allowance(
  { nextAt, ratePerSecond }: Pick<Replay, 'nextAt' | 'ratePerSecond'>,
  now: Date,
): { count: number; nextAfter(sent: number): Date } {
  const from = Math.max(nextAt.getTime(), now.getTime() - creditMs)
  const unused = Math.floor(((now.getTime() - from) * ratePerSecond) / secondMs)
  return {
    count: Math.min(ratePerSecond, unused + 1),
    nextAfter: (sent) => new Date(from + Math.ceil((sent * secondMs) / ratePerSecond)),
  }
}

/** When it will be done at the pace it has had so far, but no quicker than its rate; null when it does
 * not run. */
export function etaOf(replay: Replay, now: Date): Date | null {
  const { state, total, done, startedAt, ratePerSecond } = replay
  if (state !== 'running' || !startedAt) return null
  const elapsedMs = now.getTime() - startedAt.getTime()
  const eachMs = Math.max(secondMs / ratePerSecond, done > 0 ? elapsedMs / done : 0)
  return new Date(now.getTime() + Math.ceil(Math.max(0, total - done) * eachMs))
}
