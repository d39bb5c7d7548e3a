import { messageFailures } from './failures/messages.ts'
import { sandboxFailures } from './failures/sandbox.ts'
import { signInFailures } from './failures/sign-in.ts'

/**
 * Every refusal of a request: its status, its code in the `error` field and the message for the caller. A test keeps
 * `docs/errors.md` equal to this table.
 *
 * `{detail}` in `says` is replaced by the detail passed to `Failure`. Integrators match the messages of orders,
 * ratings, messages and attachments word for word, so those must not change.
 */
export const failures = {
  // Orders.
  order_not_found: { status: 404, error: 'order_not_found', says: 'Order not found.' },
  empty_order_id: { status: 400, error: 'empty_order_id', says: 'Order ID can not be empty.' },
  invalid_order_id: { status: 400, error: 'invalid_order_id', says: 'Invalid order ID.' },
  not_identified_user: {
    status: 401,
    error: 'not_identified_user',
    says: 'Can not identify the user.',
  },
  not_owned_order: {
    status: 403,
    error: 'not_owned_order',
    says: 'The user has not access to the order.',
  },

  // Order search.
  caller_id_invalid: {
    status: 403,
    error: 'caller.id.invalid',
    says: 'caller.id does not match buyer nor seller.',
  },
  search_without_filter: {
    status: 400,
    error: 'bad_request',
    says: 'The search does nothing without at least one filter.',
  },

  // Shipments.
  not_found_shipping_id: {
    status: 404,
    error: 'not_found_shipping_id',
    says: 'Shipping id not found.',
  },

  // Ratings.
  feedback_not_found: {
    status: 404,
    error: 'feedback_not_found',
    says: 'The feedback does not exist.',
  },
  invalid_fulfilled: {
    status: 400,
    error: 'invalid_fulfilled',
    says: "'fulfilled' parameter must be true or false.",
  },
  feedback_already_exists: {
    status: 400,
    error: 'feedback_already_exists',
    says: 'You have given feedback for this order already.',
  },
  not_fulfilled_feedback_in_order_expired: {
    status: 400,
    error: 'not_fulfilled_feedback_in_order_expired',
    says: "You can't submit a not fulfilled feedback after order has expired.",
  },
  feedback_not_modifiable: {
    status: 400,
    error: 'feedback_not_modifiable',
    says: 'The feedback can not be changed: it has a reply, or the order has expired.',
  },
  reply_time_expired: {
    status: 400,
    error: 'reply_time_expired',
    says: 'Reply time expired. There is a 14 days period to reply a feedback.',
  },
  reply_already_exists: {
    status: 400,
    error: 'reply_already_exists',
    says: 'Reply already exists for the feedback.',
  },

  // Questions.
  not_owned_question: {
    status: 403,
    error: 'not_owned_question',
    says: 'The user has not access to answer the question.',
  },
  not_unanswered_question: {
    status: 400,
    error: 'not_unanswered_question',
    says: 'The question is not unanswered: its status is {detail}.',
  },

  // Listings, in the texts that existing clients expect.
  validation_error: { status: 400, error: 'validation_error', says: '{detail}' },
  item_closed: {
    status: 400,
    error: 'item_closed',
    says: 'Cannot update item {detail}',
  },
  not_owned_item: {
    status: 403,
    error: 'not_owned_item',
    says: 'The user has not access to change the item.',
  },
  unable_to_list: {
    status: 403,
    error: 'unable_to_list',
    says: 'The user is unable to list: {detail}.',
  },

  // Tokens.
  invalid_token: { status: 401, error: 'not_found', says: 'invalid_token' },
  access_denied: {
    status: 403,
    error: 'access_denied',
    says: 'access to the requested resource is forbidden',
  },

  // Access to an application. Each text names the token to use.
  owner_only: {
    status: 403,
    error: 'access_denied',
    says: 'Only the owner of the application may do this. Use a token of its owner that names no application.',
  },
  in_person_only: {
    status: 403,
    error: 'access_denied',
    says: 'An application does not manage what its users own. Use a token of the user that names no application.',
  },
  whole_application: {
    status: 403,
    error: 'access_denied',
    says: 'This belongs to the application as a whole. Use a token of the application itself (grant_type=client_credentials), or one of its owner that names no application.',
  },
  whole_public_application: {
    status: 403,
    error: 'access_denied',
    says: 'This belongs to the application as a whole, and a public application has no token of its own. Use a token of its owner that names no application.',
  },
  not_of_application: {
    status: 403,
    error: 'access_denied',
    says: 'The token is not of this application. Use a token of the application, or one of its owner that names no application.',
  },

  too_many_requests: { status: 429, error: 'local_rate_limited', says: 'too_many_requests' },

  ...signInFailures,

  ...messageFailures,

  // Attachments.
  file_empty: { status: 400, error: 'bad_request', says: 'File attached is empty' },
  filename_invalid: {
    status: 400,
    error: 'bad_request',
    says: 'File name cannot include characters like /, \\',
  },
  filename_too_long: {
    status: 400,
    error: 'bad_request',
    says: 'The original_filename exceeded 200 character limit',
  },
  file_too_large: {
    status: 400,
    error: 'bad_request',
    says: 'File attachment is bigger than 25 Mb.',
  },
  site_id_required: {
    status: 400,
    error: 'bad_request',
    says: "The queryparam 'site_id' is required",
  },
  site_id_invalid: {
    status: 400,
    error: 'bad_request',
    says: "Invalid site_id: '{detail}' is not a recognized site",
  },
  file_not_saved: {
    status: 500,
    error: 'internal_server_error',
    says: 'File can not be saved, try it later',
  },
  file_not_accessed: {
    status: 500,
    error: 'internal_server_error',
    says: 'File can not be accessed, try it later',
  },
  unattached_full: {
    status: 403,
    error: 'limit_exceeded',
    says: 'You have room for {detail} MB of files that are attached to no message: attach those that are there, or upload again when they have expired',
  },
  range_not_satisfiable: {
    status: 416,
    error: 'range_not_satisfiable',
    says: 'Range: expected a part of the file',
  },
  attachment_key_invalid: {
    status: 422,
    error: 'unprocessable_entity',
    says: 'Attachment key is invalid or not found',
  },

  // Feed of notifications.
  feed_without_application: {
    status: 400,
    error: 'bad_request',
    says: 'You must send an app_id in order to retrieve the messages',
  },

  // Replays of notifications.
  no_callback: {
    status: 409,
    error: 'no_callback',
    says: 'The application has no callback address.',
  },
  too_many_secrets: {
    status: 409,
    error: 'too_many_secrets',
    says: 'Five signing secrets of this application are in force: wait for one to end, or end the others with overlap_hours 0.',
  },
  too_many_replays: {
    status: 409,
    error: 'too_many_replays',
    says: 'Ten replays of this application are open: let one end, or cancel one.',
  },
  replay_ended: {
    status: 409,
    error: 'replay_ended',
    says: 'The replay has ended: it is {detail}.',
  },

  // Any operation.
  bad_request: { status: 400, error: 'bad_request', says: '{detail}' },
  not_found: { status: 404, error: 'not_found', says: '{detail}' },
  body_too_large: { status: 413, error: 'body_too_large', says: '{detail}' },
  misdirected_request: {
    status: 421,
    error: 'misdirected_request',
    says: 'Host: expected a name of this service, got {detail}. Its operator names more with FERIA_ALLOWED_HOSTS.',
  },
  foreign_origin: {
    status: 403,
    error: 'forbidden',
    says: 'Origin: expected a page of this service or of this machine, got {detail}. Its operator lets in pages of more hosts with FERIA_ALLOWED_HOSTS.',
  },
  method_not_allowed: {
    status: 405,
    error: 'method_not_allowed',
    says: 'CONNECT: expected another method, because this is no proxy',
  },
  expectation_failed: {
    status: 417,
    error: 'expectation_failed',
    says: 'Expect: expected 100-continue or no such header',
  },
  unsupported_media_type: { status: 415, error: 'unsupported_media_type', says: '{detail}' },
  headers_too_large: {
    status: 431,
    error: 'headers_too_large',
    says: 'headers: expected at most 16 KiB in all',
  },
  request_timeout: {
    status: 408,
    error: 'request_timeout',
    says: 'request: expected to arrive whole within its time',
  },
  internal_server_error: {
    status: 500,
    error: 'internal_server_error',
    says: 'Internal server error',
  },
  unavailable: {
    status: 503,
    error: 'service_unavailable',
    says: 'The service is not available right now, try again in a moment.',
  },

  // The operator's interface.
  operator_only: {
    status: 401,
    error: 'operator_only',
    says: "This resource takes the operator's token.",
  },
  operator_parameter: {
    status: 401,
    error: 'operator_only',
    says: "{detail}: takes the operator's token in the Authorization header. Leave the parameter out without it.",
  },
  status_not_reachable: { status: 409, error: 'status_not_reachable', says: '{detail}' },
  stock_exhausted: { status: 409, error: 'stock_exhausted', says: '{detail}' },
  id_taken: { status: 409, error: 'id_taken', says: '{detail}' },
  idempotency_key_reused: {
    status: 422,
    error: 'idempotency_key_reused',
    says: 'Idempotency-Key: this key was used before with another body, expected a new key or the same body.',
  },
  ...sandboxFailures,
} as const satisfies Record<string, { status: number; error: string; says: string }>

export type FailureCode = keyof typeof failures

/** One of several errors in a request, which are reported together. */
export interface FieldError {
  /** A code for programs, such as `item.price.invalid`. */
  code: string
  /** The path of the field, such as `attributes[0].value_name`. */
  field: string
  expected: string
}

/**
 * A refusal of a request. `detail` replaces the placeholder in the message for the caller. `note` goes only to the
 * log. `breaches` lists the errors if there are several.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly error: string
  readonly note: string | undefined
  readonly fieldErrors: readonly FieldError[]

  constructor(code: FailureCode, detail = '', note?: string, breaches: readonly FieldError[] = []) {
    const { status, error, says } = failures[code]
    super(says.replace('{detail}', () => detail))
    this.name = 'Failure'
    this.code = code
    this.status = status
    this.error = error
    this.note = note
    this.fieldErrors = breaches
  }
}

/** A refusal by a rate limit. The caller may retry after `retryAfterSeconds` (`Retry-After`). */
export class TooManyRequests extends Failure {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('too_many_requests')
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds))
  }
}

/** A refusal while this process stops. A retry reaches another process. */
export class ShuttingDown extends Failure {
  constructor() {
    super('unavailable')
  }
}

/** A refusal because requests arrive faster than they can be answered. */
export class Overloaded extends Failure {
  constructor() {
    super('unavailable')
  }
}

/** Returns a `bad_request` for a wrong value: `<field>: expected <expected>`. */
export function badField(field: string, expected: string): Failure {
  return new Failure('bad_request', expectation({ field, expected }))
}

/** Returns a `validation_error` with every error. Its message names the first. */
export function validationFailure(breaches: readonly [FieldError, ...FieldError[]]): Failure {
  return new Failure('validation_error', expectation(breaches[0]), undefined, breaches)
}

/** Formats an error, as in `price: expected more than 0`. */
export function expectation({ field, expected }: Pick<FieldError, 'field' | 'expected'>): string {
  return `${field}: expected ${expected}`
}
