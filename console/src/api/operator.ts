import { ApiError } from './client.ts'

/** Asks the cheapest thing that only the operator may. Throws `ApiError`, 401 for a wrong token. */
export async function checkOperatorToken(token: string): Promise<void> {
  const response = await fetch('/operator/applications?limit=1', {
    headers: { authorization: `Bearer ${token}` },
    credentials: 'omit',
  }).catch((error) => {
    throw new ApiError({ status: 0, code: 'unreachable', message: String(error) })
  })
  // An account or a key without the permission is an operator, too.
  if (response.ok || response.status === 403) return
  const { error, message } = (await response.json()) as { error: string; message: string }
  throw new ApiError({ status: response.status, code: error, message })
}
