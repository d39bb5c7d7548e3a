/** The part of the table of failures that signing in and handing out tokens have to themselves
 * (contract 5, wire 5). Codes are those of RFC 6749 (5.2). */
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
