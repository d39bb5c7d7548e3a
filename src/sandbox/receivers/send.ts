import { simulatedHeader } from '../../platform/interference/interference.ts'
import type { Outcome, OutgoingRequest, Send } from '../../platform/outbound/outbound.ts'
import { type FaultKind, faultsOf, type ReceiverFault, type Telling, tellingOf } from './fault.ts'

export interface FaultyTools {
  send: Send
  /** Those that are set now. */
  faults: () => readonly ReceiverFault[]
  wait: (ms: number) => Promise<void>
}

/**
 * Sends as `send` does, except that what the sandbox's operator has asked for happens to requests on
 * their way: they come late, out of order, twice or not at all, or their answer is another's or none.
 */
export function makeFaultySend({ send, faults, wait }: FaultyTools): Send {
  const held = new HeldBack()
  return (request) => {
    const known = faults()
    return known.length === 0 ? send(request) : faulty(request, known)
  }

  async function faulty(
    request: OutgoingRequest,
    known: readonly ReceiverFault[],
  ): Promise<Outcome> {
    const telling = tellingOf(request)
    const met = telling ? faultsOf(telling, known) : []
    if (!telling || met.length === 0) {
      try {
        return await send(request)
      } finally {
        if (telling) held.wentBy(telling.applicationId)
      }
    }
    const outcome = await suffer(request, telling, met)
    return marked(
      outcome,
      met.map(({ kind }) => kind),
    )
  }

  async function suffer(
    request: OutgoingRequest,
    { applicationId }: Telling,
    met: readonly ReceiverFault[],
  ): Promise<Outcome> {
    const find = (kind: FaultKind) => met.find((fault) => fault.kind === kind)
    const [delay, reorder, status] = [find('delay'), find('reorder'), find('status')]
    if (delay) await wait(delay.delayMs)
    // Bounded: there may be no other for a long time.
    if (reorder) await Promise.race([held.untilAnother(applicationId), wait(reorder.delayMs)])
    if (find('drop')) return { kind: 'timeout', reqTimeMs: request.timeoutMs }
    if (status) {
      return { kind: 'answered', status: status.status, headers: {}, body: '', reqTimeMs: 0 }
    }
    const outcome = await send(request)
    if (find('duplicate')) await send(request)
    if (!reorder) held.wentBy(applicationId)
    return find('timeout') ? { kind: 'timeout', reqTimeMs: request.timeoutMs } : outcome
  }
}

/** Requests that wait until another one to the same application has gone. */
class HeldBack {
  readonly #waiting = new Map<number, (() => void)[]>()

  untilAnother(applicationId: number): Promise<void> {
    return new Promise((resolve) => {
      const known = this.#waiting.get(applicationId) ?? []
      this.#waiting.set(applicationId, [...known, resolve])
    })
  }

  wentBy(applicationId: number): void {
    const free = this.#waiting.get(applicationId)
    this.#waiting.delete(applicationId)
    for (const resolve of free ?? []) resolve()
  }
}

function marked(outcome: Outcome, kinds: readonly FaultKind[]): Outcome {
  const simulated = kinds.join(', ')
  if (outcome.kind === 'answered') {
    return { ...outcome, headers: { ...outcome.headers, [simulatedHeader]: simulated } }
  }
  const before = 'why' in outcome ? `${outcome.why}; ` : ''
  return { ...outcome, why: `${before}${simulatedHeader}: ${simulated}` }
}
