/** The failures of messages, part of the table of failures. Integrators match their texts word for word. */
export const messageFailures = {
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
} as const satisfies Record<string, { status: number; error: string; says: string }>
