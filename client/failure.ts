/** An answer with an error status, 400 or above. */
export class FeriaFailure extends Error {
  readonly status: number
  /** The field `error` of the body or, for messages, `code`. Empty if there is neither. */
  readonly code: string
  /** The body: parsed JSON, or text. */
  readonly body: unknown
  /** The id of the request in the log of the server. */
  readonly requestId: string | undefined

  constructor(response: Response, body: unknown) {
    const { message, error, code } = (typeof body === 'object' && body ? body : {}) as ErrorBody
    const path = response.url ? new URL(response.url).pathname : 'the request'
    super(`${path} was answered with ${response.status}: ${message ?? response.statusText}`)
    this.name = 'FeriaFailure'
    this.status = response.status
    this.code = String(error ?? code ?? '')
    this.body = body
    this.requestId = response.headers.get('x-request-id') ?? undefined
  }

  static async of(response: Response): Promise<FeriaFailure> {
    const text = await response.text()
    try {
      return new FeriaFailure(response, JSON.parse(text))
    } catch {
      return new FeriaFailure(response, text)
    }
  }
}

interface ErrorBody {
  message?: unknown
  error?: unknown
  code?: unknown
}

/** A part of an order that may be missing from an answer with status 206. */
export type Part = 'buyer' | 'feedback' | 'mediations' | 'seller' | 'shipping'

/** Returns the parts that a 206 lacks, as its `X-Content-Missing` names them. Empty for any other answer. */
export function missingParts({ status, headers }: Response): Part[] {
  if (status !== 206) return []
  const header = headers.get('x-content-missing') ?? ''
  return header.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim() as Part]))
}

interface OperationResult<T> {
  data?: T
  error?: unknown
  response: Response
}

/** Resolves with the body of an answer and its missing parts. Throws `FeriaFailure` for an error status. */
export async function partsOf<T>(
  request: Promise<OperationResult<T>>,
): Promise<{ data: T; missing: Part[] }> {
  const { data, error, response } = await request
  if (!response.ok) throw new FeriaFailure(response, error)
  return { data: data as T, missing: missingParts(response) }
}

/** Resolves with the complete body. Throws `FeriaFailure` for an error status, and `Incomplete` for a 206. */
export async function bodyOf<T>(request: Promise<OperationResult<T>>): Promise<T> {
  const { data, missing } = await partsOf(request)
  if (missing.length > 0) throw new Incomplete(missing)
  return data
}

/** An answer lacks some parts at the moment. A retry may have them. */
export class Incomplete extends Error {
  readonly missing: readonly Part[]

  constructor(missing: readonly Part[]) {
    super(`missing at the moment: ${missing.join(', ')}; try again`)
    this.name = 'Incomplete'
    this.missing = missing
  }
}
