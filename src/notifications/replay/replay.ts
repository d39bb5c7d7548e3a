import { secondMs } from '../../kernel/clock.ts'

export const replayStates = ['waiting', 'running', 'paused', 'finished', 'cancelled'] as const
export type ReplayState = (typeof replayStates)[number]

/** States of replays that have not ended. */
export const openReplayStates = ['waiting', 'running', 'paused'] as const satisfies ReplayState[]

/** A job that sends past notifications of one application again. */
export interface Replay extends ReplaySpan {
  id: string
  state: ReplayState
  ratePerSecond: number
  /** How many notifications its span had when it was created. */
  total: number
  done: number
  accepted: number
  /** `received` of the last notification that was sent. */
  positionAt: Date | null
  positionSeq: number
  dateCreated: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** When its rate allows the next request. */
  nextAt: Date
}

/** Which notifications a replay sends: those received from `since` to `until`, both inclusive. */
export interface ReplaySpan {
  applicationId: number
  since: Date
  until: Date
  /** Null for every topic. */
  topics: readonly string[] | null
  failedOnly: boolean
  /** The cursor of the delivery queue at creation: later notifications get their first attempt there. */
  upToSeq: number
}

/** The states that a caller may set. */
export const settableReplayStates = ['paused', 'running', 'cancelled'] as const
export type SettableReplayState = (typeof settableReplayStates)[number]

function isOpen(state: ReplayState): boolean {
  return (openReplayStates as readonly ReplayState[]).includes(state)
}

/** Returns the state that an order leads to; undefined when the replay has ended. A resumed replay waits for its turn,
 * because one replay of an application runs at a time. */
export function nextReplayState(
  state: ReplayState,
  order: SettableReplayState,
): ReplayState | undefined {
  if (!isOpen(state)) return undefined
  if (order !== 'running') return order
  return state === 'paused' ? 'waiting' : state
}

/** A replay catches up on unused time, up to this much. */
const creditMs = secondMs

/**
 * Returns how many requests may be sent now (at least one), and when the next one may follow. Call it when a request is
 * due. In any period no more are sent than the rate allows, plus those of one second.
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

/** Returns the estimated end at the pace so far, but no faster than the rate; null when the replay does not run. */
export function etaOf(replay: Replay, now: Date): Date | null {
  const { state, total, done, startedAt, ratePerSecond } = replay
  if (state !== 'running' || !startedAt) return null
  const elapsedMs = now.getTime() - startedAt.getTime()
  const msPerNotification = Math.max(secondMs / ratePerSecond, done > 0 ? elapsedMs / done : 0)
  return new Date(now.getTime() + Math.ceil(Math.max(0, total - done) * msPerNotification))
}
