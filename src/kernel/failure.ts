/*
 * Every refusal of a request: its status, its code in the `error` field and the message for the caller.
 * `docs/errors.md` is generated from these tables (`npm run docs`).
 *
 * Integrators match the messages of orders, ratings, messages and attachments word for word, so those must not change.
 */

/** The failures of one subject. `says` is the message for the caller, with `{detail}` in place of the detail passed to
 * `Failure`. `when` says in docs/errors.md what causes the failure. */
type FailureTable = Record<string, { status: number; error: string; says: string; when: string }>

/** Orders, shipments and ratings. */
const orderFailures = {
  order_not_found: {
    status: 404,
    error: 'order_not_found',
    says: 'Order not found.',
    when: 'No order has this id.',
  },
  empty_order_id: {
    status: 400,
    error: 'empty_order_id',
    says: 'Order ID can not be empty.',
    when: 'The path has no order id, or `null`.',
  },
  invalid_order_id: {
    status: 400,
    error: 'invalid_order_id',
    says: 'Invalid order ID.',
    when: 'The order id is not a whole number from 1 to 9007199254740991.',
  },
  not_identified_user: {
    status: 401,
    error: 'not_identified_user',
    says: 'Can not identify the user.',
    when: 'The request has no token, and the operation needs one.',
  },
  not_owned_order: {
    status: 403,
    error: 'not_owned_order',
    says: 'The user has not access to the order.',
    when: 'The user of the token is neither seller nor buyer of the order.',
  },
  caller_id_invalid: {
    status: 403,
    error: 'caller.id.invalid',
    says: 'caller.id does not match buyer nor seller.',
    when: 'The user of the token is none of the users that the search names in `seller`, `buyer` or `from`.',
  },
  search_without_filter: {
    status: 400,
    error: 'bad_request',
    says: 'The search does nothing without at least one filter.',
    when: 'The order search has no filter. `sort`, `limit`, `offset`, `display` and `search_type` are not filters.',
  },
  not_found_shipping_id: {
    status: 404,
    error: 'not_found_shipping_id',
    says: 'Shipping id not found.',
    when: 'No shipment has this id, or the user of the token is neither its seller nor its buyer.',
  },
  feedback_not_found: {
    status: 404,
    error: 'feedback_not_found',
    says: 'The feedback does not exist.',
    when: 'No feedback has this id, or this user may not read, change or answer it yet.',
  },
  invalid_fulfilled: {
    status: 400,
    error: 'invalid_fulfilled',
    says: "'fulfilled' parameter must be true or false.",
    when: '`fulfilled` is missing or not a boolean, or it is false and `reason` is missing.',
  },
  feedback_already_exists: {
    status: 400,
    error: 'feedback_already_exists',
    says: 'You have given feedback for this order already.',
    when: 'The seller or the buyer rates an order for the second time.',
  },
  not_fulfilled_feedback_in_order_expired: {
    status: 400,
    error: 'not_fulfilled_feedback_in_order_expired',
    says: "You can't submit a not fulfilled feedback after order has expired.",
    when: '`fulfilled` is false, and the `expiration_date` of the order has passed.',
  },
  feedback_not_modifiable: {
    status: 400,
    error: 'feedback_not_modifiable',
    says: 'The feedback can not be changed: it has a reply, or the order has expired.',
    when: 'The feedback has a reply, or the `expiration_date` of the order has passed.',
  },
  reply_time_expired: {
    status: 400,
    error: 'reply_time_expired',
    says: 'Reply time expired. There is a 14 days period to reply a feedback.',
    when: 'The feedback is older than 14 days.',
  },
  reply_already_exists: {
    status: 400,
    error: 'reply_already_exists',
    says: 'Reply already exists for the feedback.',
    when: 'The feedback has a reply.',
  },
} as const satisfies FailureTable

/** Items and questions. */
const itemFailures = {
  validation_error: {
    status: 400,
    error: 'validation_error',
    says: '{detail}',
    when: 'The item or its description does not fit its category. `cause` lists every error.',
  },
  item_closed: {
    status: 400,
    error: 'item_closed',
    says: 'Cannot update item {detail}',
    when: 'The item is closed. A closed item cannot be changed or opened again.',
  },
  not_owned_item: {
    status: 403,
    error: 'not_owned_item',
    says: 'The user has not access to change the item.',
    when: 'The user of the token is not the seller of the item.',
  },
  unable_to_list: {
    status: 403,
    error: 'unable_to_list',
    says: 'The user is unable to list: {detail}.',
    when: 'The account of the user is not registered, or it is deactivated.',
  },
  not_owned_question: {
    status: 403,
    error: 'not_owned_question',
    says: 'The user has not access to answer the question.',
    when: 'The user of the token is not the seller of the item.',
  },
  not_unanswered_question: {
    status: 400,
    error: 'not_unanswered_question',
    says: 'The question is not unanswered: its status is {detail}.',
    when: 'The question has an answer, or the operator removed it.',
  },
} as const satisfies FailureTable

/** Tokens and rates. Each text names the token to use. */
const accessFailures = {
  invalid_token: {
    status: 401,
    error: 'not_found',
    says: 'invalid_token',
    when: 'The token is unknown, expired or revoked.',
  },
  access_denied: {
    status: 403,
    error: 'access_denied',
    says: 'access to the requested resource is forbidden',
    when: 'The token does not have the scope (read or write), or the searched items belong to another user.',
  },
  owner_only: {
    status: 403,
    error: 'access_denied',
    says: 'Only the owner of the application may do this. Use a token of its owner that names no application.',
    when: 'Settings, secrets and tokens of an application take a token of its owner.',
  },
  in_person_only: {
    status: 403,
    error: 'access_denied',
    says: 'An application does not manage what its users own. Use a token of the user that names no application.',
    when: 'A token of an application lists or creates applications.',
  },
  whole_application: {
    status: 403,
    error: 'access_denied',
    says: 'This belongs to the application as a whole. Use a token of the application itself (grant_type=client_credentials), or one of its owner that names no application.',
    when: 'A token of a user reads or changes listeners, grants, signing secrets, replays or the delivery queue, or notifications about another user.',
  },
  whole_public_application: {
    status: 403,
    error: 'access_denied',
    says: 'This belongs to the application as a whole, and a public application has no token of its own. Use a token of its owner that names no application.',
    when: 'The same, or the feed of all users, with a token of a user of a public application.',
  },
  not_of_application: {
    status: 403,
    error: 'access_denied',
    says: 'The token is not of this application. Use a token of the application, or one of its owner that names no application.',
    when: 'The token belongs to another application, or to a user who does not own this one.',
  },
  too_many_requests: {
    status: 429,
    error: 'local_rate_limited',
    says: 'too_many_requests',
    when: 'The caller exceeded `FERIA_RATE_PER_MINUTE`, a limit on guessing, or the number of waiting requests. `Retry-After` has the seconds to wait.',
  },
} as const satisfies FailureTable

/** Sign-in and OAuth. OAuth codes are those of RFC 6749, 5.2. */
const oauthFailures = {
  invalid_client: {
    status: 400,
    error: 'invalid_client',
    says: 'invalid client_id or client_secret',
    when: 'The application is unknown, or its secret is wrong or missing.',
  },
  invalid_client_header: {
    status: 401,
    error: 'invalid_client',
    says: 'invalid client_id or client_secret in the Authorization header',
    when: 'The same, for credentials in HTTP Basic.',
  },
  invalid_grant: {
    status: 400,
    error: 'invalid_grant',
    says: 'Error validating grant. Your authorization code or refresh token may be expired or it was already used',
    when: 'The code or token is refused, and the application did not authenticate. The cause is not named.',
  },
  // The cause, for an authenticated client only. `{detail}` is the kind of grant that it presented.
  invalid_grant_unknown: {
    status: 400,
    error: 'invalid_grant',
    says: 'This application has no such {detail}. Check client_id and that the value is complete, or send the user through /authorization again.',
    when: 'The application has no such code or token. The answer is the same if another application has it.',
  },
  invalid_grant_expired: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} has expired. Send the user through /authorization again.',
    when: 'The code is older than ten minutes, or the refresh token is older than six months.',
  },
  invalid_grant_used: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} was already used, so everything that came of the same consent has ended. Send the user through /authorization again.',
    when: 'The code was used before, or the refresh token was used before the grace period.',
  },
  invalid_grant_ended_by_reuse: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} has ended, because another one of the same consent was used a second time. Send the user through /authorization again.',
    when: 'Another code or refresh token of the same consent was used twice.',
  },
  invalid_grant_revoked: {
    status: 400,
    error: 'invalid_grant',
    says: 'The {detail} was revoked. Send the user through /authorization again.',
    when: 'The code or token was revoked, and it is not known by whom.',
  },
  invalid_grant_revoked_by_user: {
    status: 400,
    error: 'invalid_grant',
    says: 'The user has revoked the {detail}. Send the user through /authorization again if the user agrees.',
    when: 'The user withdrew the access of the application.',
  },
  invalid_grant_revoked_by_application: {
    status: 400,
    error: 'invalid_grant',
    says: 'This application has revoked the {detail}. Send the user through /authorization again.',
    when: 'The application ended the authorization, or revoked a refresh token of the same consent.',
  },
  invalid_grant_revoked_by_operator: {
    status: 400,
    error: 'invalid_grant',
    says: 'The operator has revoked the {detail}. Ask the operator before you send the user through /authorization again.',
    when: 'The operator ended or narrowed the authorization.',
  },
  invalid_grant_account_closed: {
    status: 400,
    error: 'invalid_grant',
    says: 'The account of the user is closed, so the {detail} is not accepted. Ask the operator.',
    when: 'The account of the user is deactivated.',
  },
  invalid_grant_redirect_uri: {
    status: 400,
    error: 'invalid_grant',
    says: 'redirect_uri: expected the address that the code was asked for with. Send the code again with that address.',
    when: 'The redirect address is missing or not the one of the code. The code stays valid.',
  },
  invalid_grant_verifier_missing: {
    status: 400,
    error: 'invalid_grant',
    says: 'code_verifier: expected, because the code was asked for with code_challenge. Send the code again with it.',
    when: 'The code was requested with PKCE, and the verifier is missing. The code stays valid.',
  },
  invalid_grant_verifier_wrong: {
    status: 400,
    error: 'invalid_grant',
    says: 'code_verifier: expected the one that code_challenge was made from. Send the code again with it.',
    when: 'The verifier does not match the challenge. The code stays valid.',
  },
  invalid_grant_verifier_unexpected: {
    status: 400,
    error: 'invalid_grant',
    says: 'code_verifier: expected none, because the code was asked for without code_challenge. Send the user through /authorization again with a code_challenge.',
    when: 'The code was requested without a challenge. Somebody may have removed the challenge on the way.',
  },
  invalid_grant_challenge_missing: {
    status: 400,
    error: 'invalid_grant',
    says: 'The application must use PKCE, and the code was asked for without code_challenge. Send the user through /authorization again with one.',
    when: 'The application has required PKCE since the code was requested.',
  },
  unauthorized_client: {
    status: 400,
    error: 'unauthorized_client',
    says: 'The application may not use this grant_type: {detail}',
    when: "`client_credentials` for an application that is public, has no owner, or whose owner's account is closed.",
  },
  unsupported_grant_type: {
    status: 400,
    error: 'unsupported_grant_type',
    says: 'grant_type: expected one of authorization_code, refresh_token, client_credentials',
    when: 'The grant type is not supported.',
  },
  invalid_scope: {
    status: 400,
    error: 'invalid_scope',
    says: 'scope: expected {detail}',
    when: 'The request asks for scopes that the application may not use, or that the user did not grant.',
  },
  form_expired: {
    status: 403,
    error: 'form_expired',
    says: 'The form has expired. Go back, load the page again and send it once more.',
    when: 'The form has no form token, or it was sent to another browser.',
  },
  applications_exhausted: {
    status: 403,
    error: 'applications_exhausted',
    says: 'An account makes at most 20 applications.',
    when: 'The owner has 20 applications.',
  },
  test_users_exhausted: {
    status: 403,
    error: 'test_users_exhausted',
    says: 'An account has at most 10 test users, and a test user has none.',
    when: 'The account has ten test users, or it is a test user itself.',
  },
} as const satisfies FailureTable

/** Reading messages. The answer has the general error body. */
const messageReadFailures = {
  conversation_denied: {
    status: 403,
    error: 'forbidden',
    says: 'User access token invalid for resource {detail}',
    when: 'The seller has no such pack, or the user of the token is neither its seller nor its buyer.',
  },
  limit_not_positive: {
    status: 400,
    error: 'bad_request',
    says: 'The limit param must be greater than 0',
    when: '`limit` is less than 1.',
  },
  invalid_offset: {
    status: 400,
    error: 'bad_request',
    says: 'Invalid offset param',
    when: '`offset` is not a whole number from 0.',
  },
  invalid_limit: {
    status: 400,
    error: 'bad_request',
    says: 'Invalid limit param',
    when: '`limit` is not a whole number, or it is greater than 1000.',
  },
  message_denied: {
    status: 403,
    error: 'forbidden',
    says: 'Access denied for user {detail}',
    when: 'The user of the token is not a party of the conversation, or the message of the other party was moderated.',
  },
  unknown_message: {
    status: 400,
    error: 'bad_request',
    says: 'The specified message id does not exists',
    when: 'No message has this id.',
  },
  message_not_retrieved: {
    status: 404,
    error: 'not_found',
    says: 'The message with id: {detail} could not be retrieved from storage',
    when: 'The id is known, but the conversation does not have the message yet.',
  },
} as const satisfies FailureTable

/** Creating messages, in the order of the checks. The answer has the error body of messages. */
const messageFailures = {
  access_token_required: {
    status: 400,
    error: 'bad_request',
    says: 'Access token is required',
    when: 'The request has no access token.',
  },
  application_required: {
    status: 400,
    error: 'bad_request',
    says: 'Application id is required',
    when: 'The token belongs to no application. This also holds for the action guide.',
  },
  json_body_required: {
    status: 400,
    error: 'bad_request',
    says: 'A JSON body is required',
    when: 'The body is missing, empty or not a JSON object.',
  },
  from_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'from' is required",
    when: '`from.user_id` is missing.',
  },
  to_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.user_id' is required",
    when: '`to.user_id` is missing.',
  },
  invalid_to: {
    status: 400,
    error: 'bad_request',
    says: "Invalid 'to' user id",
    when: '`to.user_id` is not a user id.',
  },
  to_oneself: {
    status: 400,
    error: 'bad_request',
    says: 'Sender and received must not be equals',
    when: '`to.user_id` and `from.user_id` are the same.',
  },
  unsafe_email: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.email' must be a secure email",
    when: '`to.user_id` is 0, and `to.email` is not an address of `FERIA_RELAY_DOMAIN`.',
  },
  resource_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.resource' is required",
    when: '`POST /messages` without `to.resource`.',
  },
  invalid_resource: {
    status: 400,
    error: 'bad_request',
    says: "Invalid field 'to.resource'",
    when: '`to.resource` is neither `orders` nor `packs`, or `to.resource_id` is not a number.',
  },
  to_site_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.site_id' is required",
    when: '`POST /messages` without `to.site_id`.',
  },
  invalid_to_site: {
    status: 400,
    error: 'bad_request',
    says: "The field 'to.site_id' has an invalid value",
    when: '`to.site_id` is not a site, or not the site of the sale.',
  },
  sender_denied: {
    status: 403,
    error: 'forbidden',
    says: 'Access denied for user {detail}',
    when: '`from.user_id` is not the user of the token, or not a party of the order or pack.',
  },
  receiver_denied: {
    status: 403,
    error: 'forbidden',
    says: 'Receiver does not belong to order {detail}',
    when: '`to.user_id` is not the other party.',
  },
  mediation_in_process: {
    status: 403,
    error: 'forbidden',
    says: 'You can not send the message because a mediation is in process',
    when: 'The conversation is `blocked_by_mediation`. Only on site MLB.',
  },
  not_yet_delivered: {
    status: 403,
    error: 'forbidden',
    says: 'You can not send the message because the purchase is fulfillment-managed and has not been yet delivered',
    when: 'The conversation is `blocked_by_fulfillment`.',
  },
  conversation_blocked: {
    status: 403,
    error: 'forbidden',
    says: 'blocked_conversation_send_message_forbidden',
    when: 'The conversation is blocked for the sender for another reason. Its status names the reason.',
  },
  guide_required: {
    status: 403,
    error: 'forbidden',
    says: 'blocked_by_conversation_started_by_seller',
    when: 'The seller must use the action guide, or wait for the answer of the buyer.',
  },
  text_required: {
    status: 400,
    error: 'bad_request',
    says: "The field 'text' is required",
    when: '`text` is missing, blank or not a string.',
  },
  unsupported_text: {
    status: 400,
    error: 'bad_request',
    says: 'The text has character/s that is/are not supported.',
    when: '`text` has characters outside ISO-8859-1 that are not emoji.',
  },
  message_too_long: {
    status: 400,
    error: 'bad_request',
    says: 'The message content is too long, max characters allowed are {detail}',
    when: '`text` is longer than 350 characters (seller) or 3,500 characters (buyer).',
  },
  too_many_attachments: {
    status: 400,
    error: 'bad_request',
    says: 'The message exceeds the allowed number of attachments: 25',
    when: 'The message has more than 25 attachments.',
  },
  attachment_key_invalid: {
    status: 422,
    error: 'unprocessable_entity',
    says: 'Attachment key is invalid or not found',
    when: "The file is not the sender's, is incomplete, expired after 48 hours, or belongs to another message.",
  },
} as const satisfies FailureTable

/** The action guide. The answer has its own error body, whose `cause` is the key in this table. */
const guideFailures = {
  invalid_text: {
    status: 400,
    error: 'bad_request',
    says: 'The text is invalid',
    when: 'The text of a free-text option is missing, longer than 350 characters, or has unsupported characters.',
  },
  invalid_template: {
    status: 400,
    error: 'bad_request',
    says: 'The template {detail} is invalid',
    when: 'The option has no such template.',
  },
  blocked_by_excepted_case: {
    status: 400,
    error: 'bad_request',
    says: 'This pack belongs to an excepted case, it is requested to use the messaging resource.',
    when: 'An item of the pack is made to order. The seller writes with the message resource.',
  },
  promise_in_the_past: {
    status: 400,
    error: 'bad_request',
    says: 'The promise of delivery of the shipping contained in the pack is from a date before today',
    when: 'The promised delivery date has passed.',
  },
  option_used_up: {
    status: 403,
    error: 'limit_exceeded',
    says: 'You are not allowed to execute the option {detail} again',
    when: 'The option allows no more messages until the buyer answers.',
  },
  blocked_by_conversation_use_message_api: {
    status: 403,
    error: 'forbidden',
    says: 'The conversation is blocked',
    when: 'The buyer has written. The seller writes with the message resource.',
  },
  pack_is_blocked: {
    status: 403,
    error: 'forbidden',
    says: 'This package has the conversation blocked, please check blocked messages',
    when: 'The conversation is blocked for the seller. Its status names the reason.',
  },
  pack_denied: {
    status: 403,
    error: 'forbidden',
    says: 'You are not allowed to access the information of the pack {detail}',
    when: 'No pack has this id, or the user of the token is not its seller.',
  },
  invalid_option: {
    status: 404,
    error: 'not_found',
    says: 'The option selected is not valid',
    when: 'No option has this name, or it is not available for this site and shipping mode.',
  },
  guide_is_locked: {
    status: 409,
    error: 'conflict',
    says: 'There is another request locking this operation',
    when: 'Another request of the seller for the same sale is in progress.',
  },
} as const satisfies FailureTable

/** Attachments. */
const attachmentFailures = {
  file_empty: {
    status: 400,
    error: 'bad_request',
    says: 'File attached is empty',
    when: 'The form is missing, has no file, or the file is empty.',
  },
  filename_invalid: {
    status: 400,
    error: 'bad_request',
    says: 'File name cannot include characters like /, \\',
    when: 'The file name has a slash, a backslash, a control or direction character, or only dots.',
  },
  filename_too_long: {
    status: 400,
    error: 'bad_request',
    says: 'The original_filename exceeded 200 character limit',
    when: 'The file name has more than 200 characters.',
  },
  file_too_large: {
    status: 400,
    error: 'bad_request',
    says: 'File attachment is bigger than 25 Mb.',
    when: 'The file has more than 26,214,400 bytes.',
  },
  site_id_required: {
    status: 400,
    error: 'bad_request',
    says: "The queryparam 'site_id' is required",
    when: '`site_id` is missing.',
  },
  site_id_invalid: {
    status: 400,
    error: 'bad_request',
    says: "Invalid site_id: '{detail}' is not a recognized site",
    when: '`site_id` is not a site.',
  },
  file_not_saved: {
    status: 500,
    error: 'internal_server_error',
    says: 'File can not be saved, try it later',
    when: 'The file store did not accept the file. The log has the reason.',
  },
  file_not_accessed: {
    status: 500,
    error: 'internal_server_error',
    says: 'File can not be accessed, try it later',
    when: 'The file store did not return the file. The log has the reason.',
  },
  unattached_full: {
    status: 403,
    error: 'limit_exceeded',
    says: 'You have room for {detail} MB of files that are attached to no message: attach those that are there, or upload again when they have expired',
    when: 'The unattached files of the user leave no room (`FERIA_UNATTACHED_PER_USER_MB`).',
  },
  range_not_satisfiable: {
    status: 416,
    error: 'range_not_satisfiable',
    says: 'Range: expected a part of the file',
    when: '`Range` starts after the end of the file. `Content-Range` has its length.',
  },
} as const satisfies FailureTable

/** Feeds, signing secrets and replays of notifications. */
const notificationFailures = {
  feed_without_application: {
    status: 400,
    error: 'bad_request',
    says: 'You must send an app_id in order to retrieve the messages',
    when: '`app_id` is missing.',
  },
  no_callback: {
    status: 409,
    error: 'no_callback',
    says: 'The application has no callback address.',
    when: 'The application of the replay has no callback URL.',
  },
  too_many_secrets: {
    status: 409,
    error: 'too_many_secrets',
    says: 'Five signing secrets of this application are in force: wait for one to end, or end the others with overlap_hours 0.',
    when: 'The application has five valid signing secrets.',
  },
  too_many_replays: {
    status: 409,
    error: 'too_many_replays',
    says: 'Ten replays of this application are open: let one end, or cancel one.',
    when: 'Ten replays of the application wait, run or are paused.',
  },
  replay_ended: {
    status: 409,
    error: 'replay_ended',
    says: 'The replay has ended: it is {detail}.',
    when: 'The replay is finished or cancelled.',
  },
} as const satisfies FailureTable

/** Any operation. */
const requestFailures = {
  bad_request: {
    status: 400,
    error: 'bad_request',
    says: '{detail}',
    when: 'A value is missing, wrong or unknown, or the body is not JSON. The message names the field.',
  },
  not_found: {
    status: 404,
    error: 'not_found',
    says: '{detail}',
    when: 'No resource has this id or path.',
  },
  body_too_large: {
    status: 413,
    error: 'body_too_large',
    says: '{detail}',
    when: 'The body exceeds `FERIA_BODY_LIMIT_KB`, or 64 KiB for forms and requests without a token.',
  },
  idempotency_key_reused: {
    status: 422,
    error: 'idempotency_key_reused',
    says: 'Idempotency-Key: this key was used before with another body, expected a new key or the same body.',
    when: 'The key was used before with another body.',
  },
  misdirected_request: {
    status: 421,
    error: 'misdirected_request',
    says: 'Host: expected a name of this service, got {detail}. Its operator names more with FERIA_ALLOWED_HOSTS.',
    when: 'The host is not `localhost`, an IP address, the host of `FERIA_PUBLIC_URL` or one of `FERIA_ALLOWED_HOSTS`. `/health` is exempt, and so is production with neither setting.',
  },
  foreign_origin: {
    status: 403,
    error: 'forbidden',
    says: 'Origin: expected a page of this service or of this machine, got {detail}. Its operator lets in pages of more hosts with FERIA_ALLOWED_HOSTS.',
    when: 'A web page of another host writes to a sandbox.',
  },
  method_not_allowed: {
    status: 405,
    error: 'method_not_allowed',
    says: 'CONNECT: expected another method, because this is no proxy',
    when: 'The method is `CONNECT`. The connection closes, and there is no `x-request-id`. Other unsupported methods are `not_found`.',
  },
  expectation_failed: {
    status: 417,
    error: 'expectation_failed',
    says: 'Expect: expected 100-continue or no such header',
    when: 'The `Expect` header has another value.',
  },
  unsupported_media_type: {
    status: 415,
    error: 'unsupported_media_type',
    says: '{detail}',
    when: 'The body is compressed (`Content-Encoding`).',
  },
  headers_too_large: {
    status: 431,
    error: 'headers_too_large',
    says: 'headers: expected at most 16 KiB in all',
    when: 'The headers exceed the limit. The connection closes, and there is no `x-request-id`.',
  },
  request_timeout: {
    status: 408,
    error: 'request_timeout',
    says: 'request: expected to arrive whole within its time',
    when: 'The request arrived too slowly. The connection closes, and there is no `x-request-id`.',
  },
  internal_server_error: {
    status: 500,
    error: 'internal_server_error',
    says: 'Internal server error',
    when: 'A defect of Feria. The log has the details with the request id.',
  },
  unavailable: {
    status: 503,
    error: 'service_unavailable',
    says: 'The service is not available right now, try again in a moment.',
    when: 'The database is not available, the service is overloaded, or the process stops. `Retry-After` has the seconds to wait.',
  },
} as const satisfies FailureTable

/** The operator's interface. */
const operatorFailures = {
  operator_only: {
    status: 401,
    error: 'operator_only',
    says: "This resource takes the operator's token.",
    when: 'A request to `/operator` or `/metrics` without a valid credential of an operator in the `Authorization` header: the operator token, an API key or the token of a session.',
  },
  permission_denied: {
    status: 403,
    error: 'permission_denied',
    says: 'This operation takes the permission {detail}.',
    when: 'The role of the account or key lacks the permission.',
  },
  site_denied: {
    status: 403,
    error: 'site_denied',
    says: 'Your access is limited to some sites: {detail}.',
    when: 'The account or key is limited to sites, and the operation concerns all of them, or the request names none of those.',
  },
  account_required: {
    status: 403,
    error: 'account_required',
    says: 'This operation takes the session of an operator account. Sign in with POST /operator/sign-in.',
    when: 'An API key calls an operation for accounts, or the operator token one for the own account.',
  },
  verification_required: {
    status: 403,
    error: 'verification_required',
    says: 'This operation takes a session that entered its password or a code within the last ten minutes. Call POST /operator/sessions/verify.',
    when: 'A sensitive operation is called by a session that has not entered its password lately, or a code with two-factor authentication, nor signed in at the provider again.',
  },
  operator_parameter: {
    status: 401,
    error: 'operator_only',
    says: "{detail}: takes the operator's token in the Authorization header. Leave the parameter out without it.",
    when: 'The query has `explain=true`, and the token is not that of an operator who may read it.',
  },
  sign_in_failed: {
    status: 401,
    error: 'sign_in_failed',
    says: 'The e-mail address, the password or the code is wrong.',
    when: 'An operator signs in or verifies a session with a wrong e-mail address, password or code, or the account is disabled.',
  },
  code_required: {
    status: 401,
    error: 'code_required',
    says: 'code: this account takes a code of its authenticator app, or a recovery code.',
    when: 'The account has two-factor authentication, and an operator signs in with the right password alone or verifies a session with the password.',
  },
  provider_unavailable: {
    status: 503,
    error: 'provider_unavailable',
    says: 'The identity provider gives no usable answer right now. Try again in a moment, or sign in with your password.',
    when: 'The OpenID Connect provider does not answer in time, answers with an error, or its configuration is not as OpenID Connect says. The log has the cause.',
  },
  provider_refused: {
    status: 401,
    error: 'provider_refused',
    says: 'The answer of the identity provider was refused. Start again.',
    when: 'The provider refuses the code, or what it says of the person is not valid: signature, issuer, audience, nonce or time. The log has the cause.',
  },
  flow_ended: {
    status: 401,
    error: 'flow_ended',
    says: 'This sign-in has expired, was used already, or began in another browser. Start again.',
    when: 'The `state` and `verifier` belong to no sign-in, link or verification that has begun within ten minutes.',
  },
  identity_refused: {
    status: 403,
    error: 'identity_refused',
    says: 'You cannot sign in with this identity: {detail}.',
    when: 'The provider has signed somebody in whom no account of an operator belongs to, or another account than that of the session.',
  },
  last_owner: {
    status: 409,
    error: 'last_owner',
    says: 'This is the last active account with the role owner. Give another active account that role first.',
    when: 'The last active owner would be disabled, deleted or given another role.',
  },
  owner_required: {
    status: 409,
    error: 'owner_required',
    says: 'There is no active account with the role owner. Invite one and accept the invitation first.',
    when: 'The operator token would be switched off without an active owner.',
  },
  role_in_use: {
    status: 409,
    error: 'role_in_use',
    says: 'Accounts or keys have the role {detail}. Give them another role first.',
    when: 'The role to delete is used.',
  },
  too_many_exports: {
    status: 429,
    error: 'too_many_exports',
    says: 'This process runs {detail} exports already, which is the limit for you or for all. Try again when one has ended.',
    when: 'The process runs as many exports as it may: four, or a quarter of `DATABASE_POOL`, and one less for each account and API key. `Retry-After` has the seconds to wait.',
  },
  version_conflict: {
    status: 409,
    error: 'version_conflict',
    says: 'If-Match: {detail}. Nothing was changed. See what changed, and send the present ETag if you still want this.',
    when: '`If-Match` names another version than the present one: somebody changed or deleted it since you read it. `etag` and the header `ETag` have the present version, `changes` has what operators changed since.',
  },
  status_not_reachable: {
    status: 409,
    error: 'status_not_reachable',
    says: '{detail}',
    when: 'The order, shipment, claim or question cannot go from its status to the requested one.',
  },
  stock_exhausted: {
    status: 409,
    error: 'stock_exhausted',
    says: '{detail}',
    when: 'The listing has less stock than the checkout takes.',
  },
  id_taken: {
    status: 409,
    error: 'id_taken',
    says: '{detail}',
    when: 'The id belongs to something else.',
  },
  user_erased: {
    status: 409,
    error: 'user_erased',
    says: 'User {detail} was erased. Use a new id for a new account.',
    when: 'The personal data of the user was erased. The id is never used again.',
  },
  too_many_jobs: {
    status: 409,
    error: 'too_many_jobs',
    says: '{detail}: let one end, or cancel one.',
    when: 'A hundred jobs wait or run, or twenty that the same account or API key has started.',
  },
  job_ended: {
    status: 409,
    error: 'job_ended',
    says: 'The job has ended: it is {detail}.',
    when: 'A job that is finished, failed or cancelled cannot be cancelled.',
  },
  job_not_cancellable: {
    status: 409,
    error: 'job_not_cancellable',
    says: 'An erasure cannot be cancelled: it has begun to delete. Wait until it has ended.',
    when: 'The job to cancel is the erasure of a user.',
  },
  job_not_ended: {
    status: 409,
    error: 'job_not_ended',
    says: 'The job has not ended: it is {detail}. Get its file once it has.',
    when: 'The file of a job is asked for while the job waits or runs.',
  },
  upload_interrupted: {
    status: 409,
    error: 'upload_interrupted',
    says: 'The upload ended before the file was whole. Nothing was imported: send the file again.',
    when: 'The process that stored the upload of a job ended before it was whole.',
  },
  job_not_failed: {
    status: 409,
    error: 'job_not_failed',
    says: 'Only a failed job can be retried: this one is {detail}.',
    when: 'The job to retry has not failed.',
  },
} as const satisfies FailureTable

/** Operations that exist in a sandbox only, and failures that a sandbox simulates on request. */
const sandboxFailures = {
  sandbox_only: {
    status: 403,
    error: 'sandbox_only',
    says: 'This resource exists in sandbox mode only.',
    when: 'The resource exists only in a sandbox.',
  },
  simulation_open: {
    status: 409,
    error: 'simulation_open',
    says: 'A simulation is under way: {detail}. Let it end, or stop it.',
    when: 'Another simulation is running.',
  },
  snapshot_refused: {
    status: 409,
    error: 'snapshot_refused',
    says: '{detail}',
    when: 'The snapshot has another schema version, the database is a cluster, or its role cannot create schemas.',
  },
  conflict: {
    status: 409,
    error: 'conflict',
    says: 'The request is in conflict with another one, try it again.',
    when: 'A sandbox simulates this error. The answer has `x-feria-simulated`.',
  },
  bad_gateway: {
    status: 502,
    error: 'bad_gateway',
    says: 'Bad gateway',
    when: 'A sandbox simulates this error. The answer has `x-feria-simulated`.',
  },
  gateway_timeout: {
    status: 504,
    error: 'gateway_timeout',
    says: 'Gateway timeout',
    when: 'A sandbox simulates this error. The answer has `x-feria-simulated`.',
  },
} as const satisfies FailureTable

/** All failures by subject. */
export const failuresBySubject = {
  order: orderFailures,
  item: itemFailures,
  access: accessFailures,
  oauth: oauthFailures,
  messageRead: messageReadFailures,
  message: messageFailures,
  guide: guideFailures,
  attachment: attachmentFailures,
  notification: notificationFailures,
  request: requestFailures,
  operator: operatorFailures,
  sandbox: sandboxFailures,
}

/** Every failure. */
export const failures = {
  ...orderFailures,
  ...itemFailures,
  ...accessFailures,
  ...oauthFailures,
  ...messageReadFailures,
  ...messageFailures,
  ...guideFailures,
  ...attachmentFailures,
  ...notificationFailures,
  ...requestFailures,
  ...operatorFailures,
  ...sandboxFailures,
}

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

  constructor(retryAfterSeconds: number, code: FailureCode = 'too_many_requests', detail = '') {
    super(code, detail)
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
