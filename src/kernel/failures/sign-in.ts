/** The failures of sign-in and of OAuth, part of the table of failures. OAuth codes are those of RFC 6749, 5.2. */
export const signInFailures = {
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
} as const
