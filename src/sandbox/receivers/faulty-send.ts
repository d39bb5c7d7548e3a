import type { OutgoingRequest, Send, SendOutcome } from '../../platform/outbound/outbound.ts'
import { simulatedHeader } from '../../platform/simulated-faults.ts'
import {
  type DeliveryAttempt,
  deliveryAttemptOf,
  faultsAffecting,
  type ReceiverFault,
  type ReceiverFaultKind,
} from './fault.ts'

export interface FaultySendOptions {
  send: Send
  /** Returns the current faults. */
  faults: () => readonly ReceiverFault[]
  wait: (ms: number) => Promise<void>
}

/** Returns a `send` that applies the faults of receivers to notifications: late, twice, out of order, lost, or failed. */
export function makeFaultySend({ send, faults, wait }: FaultySendOptions): Send {
  const heldRequests = new HeldRequests()
  return (request) => {
    const current = faults()
    return current.length === 0 ? send(request) : sendFaulty(request, current)
  }

  /** Sends a request with the faults that affect its attempt. A request that is no notification is sent as it is. */
  async function sendFaulty(
    request: OutgoingRequest,
    current: readonly ReceiverFault[],
  ): Promise<SendOutcome> {
    const attempt = deliveryAttemptOf(request)
    const affecting = attempt ? faultsAffecting(attempt, current) : []
    if (!attempt || affecting.length === 0) {
      try {
        return await send(request)
      } finally {
        if (attempt) heldRequests.release(attempt.applicationId)
      }
    }
    const outcome = await sendWith(request, attempt, affecting)
    return markSimulated(
      outcome,
      affecting.map(({ kind }) => kind),
    )
  }

  /** Applies faults in their order: delay, reorder, drop, status, duplicate, timeout. A dropped request is not
   * sent; one that times out is. */
  async function sendWith(
    request: OutgoingRequest,
    { applicationId }: DeliveryAttempt,
    affecting: readonly ReceiverFault[],
  ): Promise<SendOutcome> {
    const find = (kind: ReceiverFaultKind) => affecting.find((fault) => fault.kind === kind)
    const [delay, reorder, status] = [find('delay'), find('reorder'), find('status')]
    if (delay) await wait(delay.delayMs)
    // Bounded, because the next notification may be far away.
    if (reorder) await Promise.race([heldRequests.untilNext(applicationId), wait(reorder.delayMs)])
    if (find('drop')) return { kind: 'timeout', reqTimeMs: request.timeoutMs }
    if (status) {
      return { kind: 'answered', status: status.status, headers: {}, body: '', reqTimeMs: 0 }
    }
    const outcome = await send(request)
    if (find('duplicate')) await send(request)
    if (!reorder) heldRequests.release(applicationId)
    return find('timeout') ? { kind: 'timeout', reqTimeMs: request.timeoutMs } : outcome
  }
}

/** Requests that wait until another one to the same application was sent. */
class HeldRequests {
  readonly #waiting = new Map<number, (() => void)[]>()

  untilNext(applicationId: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(applicationId) ?? []
      this.#waiting.set(applicationId, [...waiting, resolve])
    })
  }

  release(applicationId: number): void {
    const waiting = this.#waiting.get(applicationId)
    this.#waiting.delete(applicationId)
    for (const resolve of waiting ?? []) resolve()
  }
}

function markSimulated(outcome: SendOutcome, kinds: readonly ReceiverFaultKind[]): SendOutcome {
  const simulated = kinds.join(', ')
  if (outcome.kind === 'answered') {
    return { ...outcome, headers: { ...outcome.headers, [simulatedHeader]: simulated } }
  }
  const reason = 'why' in outcome ? `${outcome.why}; ` : ''
  return { ...outcome, why: `${reason}${simulatedHeader}: ${simulated}` }
}
