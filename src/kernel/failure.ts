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

  // Sign-in and OAuth. OAuth codes are those of RFC 6749, 5.2.
  invalid_client: {
    status: 400,
    error: 'invalid_client',
    says: 'invalid client_id or client_secret',
  },
  invalid_client_header: {
    status: 401,
    error: 'invalid_client',
    says: 'invalid client_id or client_secret in the Authorization header',
  },
  invalid_grant: {
    status: 400,
    error: 'invalid_grant',
    says: 'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
  },
  // The cause, for an authenticated client only. `{detail}` is the kind of grant that it presented.
  invalid_grant_unknown: {
    status: 400,
    error: 'invalid_grant',
    says: 'This application has no such {detail}. Check client_id and that the value is complete, or send the user through /authorization again.',
  },
  invalid_grant_expired: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} has expired. Send the user through /authorization again.',
  },
  invalid_grant_used: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} was already used, so everything that came of the same consent has ended. Send the user through /authorization again.',
  },
  invalid_grant_ended_by_reuse: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} has ended, because another one of the same consent was used a second time. Send the user through /authorization again.',
  },
  invalid_grant_revoked: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} was revoked. Send the user through /authorization again.',
  },
  invalid_grant_revoked_by_user: {
    status: 400,
    error: 'invalid_grant',
    says: 'The user has revoked the {detail}. Send the user through /authorization again if the user agrees.',
  },
  invalid_grant_revoked_by_application: {
    status: 400,
    error: 'invalid_grant',
    says: 'This application has revoked the {detail}. Send the user through /authorization again.',
  },
  invalid_grant_revoked_by_operator: {
    status: 400,
    error: 'invalid_grant',
    says: 'The operator has revoked the {detail}. Ask the operator before you send the user through /authorization again.',
  },
  invalid_grant_account_closed: {
    status: 400,
    error: 'invalid_grant',
    says: 'The account of the user is closed, so the {detail} is not accepted. Ask the operator.',
  },
  invalid_grant_redirect_uri: {
    status: 400,
    error: 'invalid_grant',
    says: 'redirect_uri: expected the address that the code was asked for with. Send the code again with that address.',
  },
  invalid_grant_verifier_missing: {
    status: 400,
    error: 'invalid_grant',
    says: 'code_verifier: expected, because the code was asked for with code_challenge. Send the code again with it.',
  },
  invalid_grant_verifier_wrong: {
    status: 400,
    error: 'invalid_grant',
    says: 'code_verifier: expected the one that code_challenge was made from. Send the code again with it.',
  },
  invalid_grant_verifier_unexpected: {
    status: 400,
    error: 'invalid_grant',
    says: 'code_verifier: expected none, because the code was asked for without code_challenge. Send the user through /authorization again with a code_challenge.',
  },
  invalid_grant_challenge_missing: {
    status: 400,
    error: 'invalid_grant',
    says: 'The application must use PKCE, and the code was asked for without code_challenge. Send the user through /authorization again with one.',
  },
  unauthorized_client: {
    status: 400,
    error: 'unauthorized_client',
    says: 'The application may not use this grant_type: {detail}',
  },
  unsupported_grant_type: {
    status: 400,
    error: 'unsupported_grant_type',
    says: 'grant_type: expected one of authorization_code, refresh_token, client_credentials',
  },
  invalid_scope: { status: 400, error: 'invalid_scope', says: 'scope: expected {detail}' },

  form_expired: {
    status: 403,
    error: 'form_expired',
    says: 'The form has expired. Go back, load the page again and send it once more.',
  },
  applications_exhausted: {
    status: 403,
    error: 'applications_exhausted',
    says: 'An account makes at most 20 applications.',
  },
  test_users_exhausted: {
    status: 403,
    error: 'test_users_exhausted',
    says: 'An account has at most 10 test users, and a test user has none.',
  },

  // Messages. Integrators match the texts word for word.
  // Reading messages. The answer has the general error body.
  conversation_denied: {
    status: 403,
    error: 'forbidden',
    says: 'User access token invalid for resource {detail}',
  },
  limit_not_positive: {
    status: 400,
    error: 'bad_request',
    says: 'The limit param must be greater than 0',
  },
  invalid_offset: { status: 400, error: 'bad_request', says: 'Invalid offset param' },
  invalid_limit: { status: 400, error: 'bad_request', says: 'Invalid limit param' },
  message_denied: { status: 403, error: 'forbidden', says: 'Access denied for user {detail}' },
  unknown_message: {
    status: 400,
    error: 'bad_request',
    says: 'The specified message id does not exists',
  },
  message_not_retrieved: {
    status: 404,
    error: 'not_found',
    says: 'The message with id: {detail} could not be retrieved from storage',
  },

  // Creating messages, in the order of the checks. The answer has the error body of messages.
  access_token_required: { status: 400, error: 'bad_request', says: 'Access token is required' },
  application_required: { status: 400, error: 'bad_request', says: 'Application id is required' },
  json_body_required: { status: 400, error: 'bad_request', says: 'A JSON body is required' },
  from_required: { status: 400, error: 'bad_request', says: "The field 'from' is required" },
  to_required: { status: 400, error: 'bad_request', says: "The field 'to.user_id' is required" },
  invalid_to: { status: 400, error: 'bad_request', says: "Invalid 'to' user id" },
  to_oneself: {
    status: 400,
    error: 'bad_request',
    says: 'Sender and received must not be equals',
  },
  unsafe_email: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.email' must be a secure email",
  },
  resource_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.resource' is required",
  },
  invalid_resource: { status: 400, error: 'bad_request', says: "Invalid field 'to.resource'" },
  to_site_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.site_id' is required",
  },
  invalid_to_site: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.site_id' has an invalid value",
  },
  sender_denied: { status: 403, error: 'forbidden', says: 'Access denied for user {detail}' },
  receiver_denied: {
    status: 403,
    error: 'forbidden',
    says: 'Receiver does not belong to order {detail}',
  },
  mediation_in_process: {
    status: 403,
    error: 'forbidden',
    says: 'You can not send the message because a mediation is in process',
  },
  not_yet_delivered: {
    status: 403,
    error: 'forbidden',
    says: 'You can not send the message because the purchase is fulfillment-managed and has not been yet delivered',
  },
  conversation_blocked: {
    status: 403,
    error: 'forbidden',
    says: 'blocked_conversation_send_message_forbidden',
  },
  guide_required: {
    status: 403,
    error: 'forbidden',
    says: 'blocked_by_conversation_started_by_seller',
  },
  text_required: { status: 400, error: 'bad_request', says: "The field 'text' is required" },
  unsupported_text: {
    status: 400,
    error: 'bad_request',
    says: 'The text has character/s that is/are not supported.',
  },
  message_too_long: {
    status: 400,
    error: 'bad_request',
    says: 'The message content is too long, max characters allowed are {detail}',
  },
  too_many_attachments: {
    status: 400,
    error: 'bad_request',
    says: 'The message exceeds the allowed number of attachments: 25',
  },

  // The action guide. The answer has its own error body, whose `cause` is the key in this table.
  invalid_text: { status: 400, error: 'bad_request', says: 'The text is invalid' },
  invalid_template: {
    status: 400,
    error: 'bad_request',
    says: 'The template {detail} is invalid',
  },
  blocked_by_excepted_case: {
    status: 400,
    error: 'bad_request',
    says: 'This pack belongs to an excepted case, it is requested to use the messaging resource.',
  },
  promise_in_the_past: {
    status: 400,
    error: 'bad_request',
    says: 'The promise of delivery of the shipping contained in the pack is from a date before today',
  },
  option_used_up: {
    status: 403,
    error: 'limit_exceeded',
    says: 'You are not allowed to execute the option {detail} again',
  },
  blocked_by_conversation_use_message_api: {
    status: 403,
    error: 'forbidden',
    says: 'The conversation is blocked',
  },
  pack_is_blocked: {
    status: 403,
    error: 'forbidden',
    says: 'This package has the conversation blocked, please check blocked messages',
  },
  pack_denied: {
    status: 403,
    error: 'forbidden',
    says: 'You are not allowed to access the information of the pack {detail}',
  },
  invalid_option: {
    status: 404,
    error: 'not_found',
    says: 'The option selected is not valid',
  },
  guide_is_locked: {
    status: 409,
    error: 'conflict',
    says: 'There is another request locking this operation',
  },

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

  // Operations that exist in a sandbox only, and failures that a sandbox simulates on request.
  sandbox_only: {
    status: 403,
    error: 'sandbox_only',
    says: 'This resource exists in sandbox mode only.',
  },
  simulation_open: {
    status: 409,
    error: 'simulation_open',
    says: 'A simulation is under way: {detail}. Let it end, or stop it.',
  },
  snapshot_refused: { status: 409, error: 'snapshot_refused', says: '{detail}' },
  conflict: {
    status: 409,
    error: 'conflict',
    says: 'The request is in conflict with another one, try it again.',
  },
  bad_gateway: { status: 502, error: 'bad_gateway', says: 'Bad gateway' },
  gateway_timeout: { status: 504, error: 'gateway_timeout', says: 'Gateway timeout' },
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
