/** An answer that is a refusal, or a failure of the server (contract 7). */
export class FeriaFailure extends Error {
  readonly status: number
  /** `error` or, for messages, `code` of the body; empty when there is none. */
  readonly code: string
  /** The body as it came: JSON that was read, or text. */
  readonly body: unknown
  /** What the server calls the request in its log. */
  readonly requestId: string | undefined

  constructor(response: Response, body: unknown) {
    const { message, error, code } = (typeof body === 'object' && body ? body : {}) as Said
    const asked = response.url ? new URL(response.url).pathname : 'the request'
    super(`${asked} was answered with ${response.status}: ${message ?? response.statusText}`)
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

interface Said {
  message?: unknown
  error?: unknown
  code?: unknown
}

/** A part of an order that could not be had (contract 4.3). */
export type Part = 'buyer' | 'feedback' | 'mediations' | 'seller' | 'shipping'

/** Which parts of the body are empty because they could not be had: those that `X-Content-Missing` of
 * a 206 names. None for any other answer. */
export function missingParts({ status, headers }: Response): Part[] {
  if (status !== 206) return []
  const named = headers.get('x-content-missing') ?? ''
  return named.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim() as Part]))
}

interface RequestInput<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The body of an answer, with the names of its parts that could not be had. Throws `FeriaFailure`. */
export async function partsOf<T>(
  asked: Promise<RequestInput<T>>,
): Promise<{ data: T; missing: Part[] }> {
  const { data, error, response } = await asked
  if (!response.ok) throw new FeriaFailure(response, error)
  return { data: data as T, missing: missingParts(response) }
}

/** The body of an answer, whole: throws `FeriaFailure` for a refusal, and `Incomplete` for a 206. */
export async function bodyOf<T>(asked: Promise<RequestInput<T>>): Promise<T> {
  const { data, missing } = await partsOf(asked)
  if (missing.length > 0) throw new Incomplete(missing)
  return data
}

/** Some of what was asked for could not be had just now; another try may have it. */
export class Incomplete extends Error {
  readonly missing: readonly Part[]

  constructor(missing: readonly Part[]) {
    super(`could not be had just now: ${missing.join(', ')}`)
    this.name = 'Incomplete'
    this.missing = missing
  }
}
