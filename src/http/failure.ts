import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { expectation, Failure } from '../kernel/failure.ts'
import type { FailureShape } from '../kernel/schema.ts'
import { isUnavailable } from '../platform/database/errors.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

const shapes: Readonly<Record<FailureShape, (failure: Failure) => object>> = {
  general: ({ message, error, status, fieldErrors }) => ({
    message,
    error,
    status,
    cause: fieldErrors.map(({ code, field, expected }) => ({
      code,
      field,
      message: expectation({ field, expected }),
    })),
  }),
  message: ({ message, error, status }) => ({ status_code: status, code: error, message }),
  // `error` and `error_description` for clients of RFC 6749, the other fields for existing integrators.
  oauth: ({ message, error, status }) => ({
    message,
    error: error === 'bad_request' ? 'invalid_request' : error,
    error_description: message,
    status,
    cause: [],
  }),
  // Older clients read `status`, newer ones `status_code`.
  guide: ({ code, message, error, status }) => ({
    cause: code,
    error: code === 'too_many_requests' ? 'too_many_request' : error,
    message,
    status,
    status_code: status,
  }),
}

/** Renders the error body of a failure. */
export function errorBodyOf(failure: Failure, shape: FailureShape = 'general'): object {
  return shapes[shape](failure)
}

/** Returns the failure of a request to an unknown path. */
export function unknownPathFailure({ method, url }: { method: string; url: string }): Failure {
  return new Failure('not_found', `No resource at ${method} ${url.split('?', 1)[0]}`)
}

/**
 * Maps any thrown value to the failure that the caller gets. A `Failure` stays as it is, and errors of Fastify and Node
 * get their own message. Anything else is a defect: the caller gets `internal_server_error`, and the log has the rest.
 * `bodyLimit` is that of the route, in bytes.
 */
export function failureOf(error: unknown, bodyLimit?: number): Failure {
  if (error instanceof Failure) return error
  if (isUnavailable(error)) return new Failure('unavailable')
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Failure('json_body_required')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new Failure('bad_request', 'body: expected valid JSON')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Failure('bad_request', 'Content-Length: expected the length of the body')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure(
        'body_too_large',
        `body: expected ${bodyLimit === undefined ? 'fewer bytes' : `at most ${bodyLimit} bytes`}`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure('bad_request', 'Content-Type: expected application/json')
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new Failure('bad_request', 'Content-Type: expected the type of the body')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new Failure('bad_request', 'path: expected a valid percent-encoded path')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Failure('bad_request', 'path: expected shorter parts')
    case 'HPE_HEADER_OVERFLOW':
      return new Failure('headers_too_large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure('request_timeout')
    default:
      return new Failure('internal_server_error')
  }
}

/** Answers bytes that are not valid HTTP and closes the connection. */
export function refuseBroken(error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy()
  const mapped = failureOf(error)
  const failure = isDefect(mapped)
    ? new Failure('bad_request', 'request: expected valid HTTP/1.1')
    : mapped
  endWith(failure, socket)
}

/** Answers `CONNECT`, for which Node provides the connection but no response. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // A client that has disconnected causes an error on the socket, which is of no interest.
  socket.on('error', () => {})
  endWith(new Failure('method_not_allowed'), socket)
}

function endWith(failure: Failure, socket: Duplex): void {
  const body = JSON.stringify(errorBodyOf(failure))
  socket.end(
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n` +
      (failure.code === 'method_not_allowed' ? `Allow: ${methods}\r\n` : '') +
      'Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Returns whether a failure is a defect of the service, which is logged with its stack. */
export function isDefect(failure: Failure): boolean {
  return failure.code === 'internal_server_error'
}
