import type { OutgoingRequest, SendOutcome } from '../../src/platform/outbound/outbound.ts'
import type { SimulationClock } from './simulation-clock.ts'

/** How a receiver answers. `forgetful` takes a notification, and its answer is lost on the way. */
export const receiverBehaviors = [
  'accepts',
  'slow',
  'flaky',
  'refuses',
  'hangs',
  'forgetful',
] as const
export type ReceiverBehavior = (typeof receiverBehaviors)[number]

/** A request that has come to a receiver. */
export interface SimulatedDelivery {
  at: number
  process: string
  applicationId: number
  seq: number
  id: string
  resource: string
  attempt: number
  isAccepted: boolean
}

/** The callbacks of all applications, one each. */
export class SimulatedReceivers {
  readonly manners = new Map<number, ReceiverBehavior>()
  readonly deliveries: SimulatedDelivery[] = []
  /** Requests that have not been answered. */
  requestsInFlight = 0
  readonly #world: SimulationClock

  constructor(world: SimulationClock) {
    this.#world = world
  }

  urlOf(applicationId: number): string {
    return `http://receiver.test/${applicationId}`
  }

  /** The `send` of a process. What has left a process that ends may come all the same. */
  sendFor(
    process: { name: string; isAlive: boolean },
    onSend: (delivery: SimulatedDelivery) => void,
  ) {
    return async ({ url, headers, body, timeoutMs }: OutgoingRequest): Promise<SendOutcome> => {
      const world = this.#world
      const { _id: id, resource, attempts: attempt, application_id } = JSON.parse(body)
      const applicationId = Number(url.split('/').at(-1))
      if (applicationId !== application_id) throw new Error(`${url} was sent ${body}`)
      const seq = Number(headers['x-feria-sequence'])
      if (headers['webhook-id'] !== id) throw new Error(`two ids: ${headers['webhook-id']}, ${id}`)
      const about = { process: process.name, applicationId, seq, id, resource, attempt }
      const delivery = { ...about, at: world.now, isAccepted: false }
      onSend(delivery)
      this.deliveries.push(delivery)
      this.requestsInFlight++
      const outcome = this.#answer(this.manners.get(applicationId) ?? 'accepts', timeoutMs)
      world.log(() => `${process.name}: sends ${applicationId}/${seq} attempt ${attempt}`)
      const { isAccepted } = outcome
      // The receiver has decided before its answer comes back.
      world.after(outcome.came.reqTimeMs / 2, () => {
        delivery.isAccepted = isAccepted
      })
      await world.sleep(outcome.came.reqTimeMs)
      this.requestsInFlight--
      if (!process.isAlive) return new Promise<never>(() => {})
      return outcome.came
    }
  }

  #answer(manner: ReceiverBehavior, timeoutMs: number): { came: SendOutcome; isAccepted: boolean } {
    const { random } = this.#world
    const answerWith = (status: number, reqTimeMs: number) => ({
      came: { kind: 'answered', status, headers: {}, body: '', reqTimeMs } as const,
      isAccepted: status === 200,
    })
    const soonMs = Math.round(random.between(1, 20))
    const lateMs = Math.round(random.between(50, 3_000))
    const why = 'simulated'
    if (manner === 'refuses') return answerWith(random.pick([500, 201, 404]), soonMs)
    if (manner === 'flaky') return answerWith(random.pick([200, 500]), soonMs)
    if (manner === 'slow') return answerWith(200, lateMs)
    if (manner === 'hangs') {
      return { came: { kind: 'timeout', reqTimeMs: timeoutMs }, isAccepted: false }
    }
    if (manner === 'forgetful') {
      return { came: { kind: 'unreachable', why, reqTimeMs: soonMs }, isAccepted: true }
    }
    return answerWith(200, soonMs)
  }
}
