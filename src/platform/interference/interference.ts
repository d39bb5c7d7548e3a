/** What is about to be answered, as far as the sandbox may want to know. */
export interface Arrived {
  method: string
  /** As the server knows it, with its parameters: `/orders/:order_id`. */
  route: string
  /** As it was asked for, without the query. */
  path: string
  /** The application of the access token, if there is one. */
  applicationId: number | null
  /** Whether its answer may lack parts (contract 4.3). */
  mayLackParts: boolean
}

/** What the sandbox pretends of one request. Several may hold: it is late, and then fails. */
export interface Interference {
  /** Names of the faults, for the header that tells of them. */
  names: readonly string[]
  /** Before anything else happens. */
  delayMs: number
  /** The connection is cut instead of an answer. */
  reset: boolean
  /** The answer is this refusal instead. */
  refusal: Refusal | undefined
  /** Names of parts that cannot be had. */
  parts: readonly string[]
  /** What was asked is done all the same: only its answer is lost. */
  isDone: boolean
}

export type Refusal =
  | { status: 409 | 500 | 502 | 503 | 504 }
  | { status: 429; retryAfterSeconds: number }

/** What happens to a request; undefined for nothing. */
export type Interfere = (request: Arrived) => Promise<Interference | undefined>

/** How an answer shows that it was pretended. */
export const simulatedHeader = 'x-feria-simulated'
