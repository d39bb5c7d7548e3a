/** A request, by which the sandbox chooses its faults. */
export interface RequestFacts {
  method: string
  /** The path of the route, with parameters: `/orders/:order_id`. */
  route: string
  /** The path of the request, without the query. */
  path: string
  /** The application of the access token, if any. */
  applicationId: number | null
  /** Whether parts of the answer may be missing (status 206). */
  mayLackParts: boolean
}

/** The faults that the sandbox simulates for a request. Several may apply, such as a delay and then a refusal. */
export interface SimulatedFaults {
  /** Names of the faults, for `simulatedHeader`. */
  names: readonly string[]
  /** Delay before anything else happens. */
  delayMs: number
  /** Whether the connection is reset instead of an answer. */
  reset: boolean
  /** The refusal to answer with. */
  refusal: SimulatedRefusal | undefined
  /** Names of parts that seem unavailable. */
  parts: readonly string[]
  /** Whether the request takes effect although its answer is lost. */
  isDone: boolean
}

export type SimulatedRefusal =
  | { status: 409 | 500 | 502 | 503 | 504 }
  | { status: 429; retryAfterSeconds: number }

/** Returns the faults for a request, or undefined for none. */
export type FindSimulatedFaults = (request: RequestFacts) => Promise<SimulatedFaults | undefined>

/** The header that names the simulated faults of an answer. */
export const simulatedHeader = 'x-feria-simulated'
