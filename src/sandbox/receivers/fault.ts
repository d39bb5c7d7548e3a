import { hashFraction } from '../hash-fraction.ts'

/** Kinds of faults of deliveries, in the order in which they apply. */
export const receiverFaultKinds = [
  'delay',
  'reorder',
  'drop',
  'status',
  'timeout',
  'duplicate',
] as const
export type ReceiverFaultKind = (typeof receiverFaultKinds)[number]

export interface ReceiverFault {
  /** Null for every application. */
  applicationId: number | null
  /** Null for every topic. */
  topic: string | null
  kind: ReceiverFaultKind
  /** The share of requests that the fault affects, from 0 to 1. */
  share: number
  /** Seed of the random choice: the same requests meet the same faults. */
  seed: number
  delayMs: number
  /** The status that a `status` fault simulates. */
  status: number
}

/** An attempt to deliver a notification, as its request describes it. */
export interface DeliveryAttempt {
  applicationId: number
  topic: string
  resource: string
  /** The sequence number of the notification in its delivery queue, as text; empty if the request names none. */
  sequence: string
  /** 1 for the first attempt. */
  attempt: number
}

/** Returns the faults that affect an attempt, in the order of their kinds. They depend only on the attempt and seeds. */
export function faultsAffecting(
  attempted: DeliveryAttempt,
  faults: readonly ReceiverFault[],
): ReceiverFault[] {
  const { applicationId, topic, resource, sequence, attempt } = attempted
  return faults
    .filter((fault) => (fault.applicationId ?? applicationId) === applicationId)
    .filter((fault) => (fault.topic ?? topic) === topic)
    .filter(({ kind, seed, share }) => {
      const key = [seed, kind, applicationId, topic, resource, sequence, attempt].join(' ')
      return hashFraction(key) < share
    })
    .sort((a, b) => receiverFaultKinds.indexOf(a.kind) - receiverFaultKinds.indexOf(b.kind))
}

/** Parses an outgoing request into the delivery attempt that it makes. Undefined if it is not a notification. Header
 * names are in lower case. */
export function deliveryAttemptOf(request: {
  headers: Readonly<Record<string, string>>
  body: string
}): DeliveryAttempt | undefined {
  try {
    const body = JSON.parse(request.body)
    // Notifications of pictures are wrapped in a list `messages`.
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
