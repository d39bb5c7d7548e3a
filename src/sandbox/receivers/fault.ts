import { fractionOf } from '../chance.ts'

/** What may happen to a request on its way to a callback, in the order in which it is thought of. */
export const faultKinds = ['delay', 'reorder', 'drop', 'status', 'timeout', 'duplicate'] as const
export type FaultKind = (typeof faultKinds)[number]

export interface ReceiverFault {
  /** Null for every application. */
  applicationId: number | null
  /** Null for every topic. */
  topic: string | null
  kind: FaultKind
  /** Of so many requests it happens to this part. */
  share: number
  /** What chance follows from: the same requests meet the same faults. */
  seed: number
  delayMs: number
  /** What a `status` pretends to be the answer. */
  status: number
}

/** One attempt at telling an application something. */
export interface Telling {
  applicationId: number
  topic: string
  resource: string
  /** The notification's number among those of its application, where it is known. */
  sequence: string
  attempt: number
}

/** What happens to this attempt, the faults in the order of their kinds. Nothing enters but what the
 * attempt is and the seeds: neither the time, nor what else is under way. */
export function faultsOf(telling: Telling, known: readonly ReceiverFault[]): ReceiverFault[] {
  const { applicationId, topic, resource, sequence, attempt } = telling
  return known
    .filter((fault) => (fault.applicationId ?? applicationId) === applicationId)
    .filter((fault) => (fault.topic ?? topic) === topic)
    .filter(({ kind, seed, share }) => {
      const told = [seed, kind, applicationId, topic, resource, sequence, attempt].join(' ')
      return fractionOf(told) < share
    })
    .sort((a, b) => faultKinds.indexOf(a.kind) - faultKinds.indexOf(b.kind))
}

/** What a request tells, read off the request itself; undefined when it is no notification. */
export function tellingOf(request: {
  headers: Readonly<Record<string, string>>
  body: string
}): Telling | undefined {
  try {
    const body = JSON.parse(request.body)
    // Pictures come wrapped (contract 6.1).
    const { application_id, topic, resource, attempts } = body.messages?.[0] ?? body
    if (!Number.isInteger(application_id) || typeof topic !== 'string') return undefined
    return {
      applicationId: application_id,
      topic,
      resource: String(resource),
      sequence: request.headers['x-feria-sequence'] ?? '',
      attempt: Number(attempts),
    }
  } catch {
    return undefined
  }
}
