import { ApiError, callApi } from './client.ts'
import { isAccountToken } from './own-account.ts'
import { getSession, saveSession } from './session.ts'
import type { RequestBody, ResponseBody } from './types.ts'

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

/** Opens a session of an operator account in this tab. Throws `ApiError`: `code_required` where a code is missing. */
export async function signInOperator(body: RequestBody<'/operator/sign-in', 'post'>) {
  const path = '/operator/sign-in'
  const { token } = await callApi<ResponseBody<typeof path, 'post'>>('POST', path, { body })
  saveSession({ operatorToken: token })
}

/** Forgets the operator in this tab. The session of an account ends at the service, too. */
export async function signOutOperator(): Promise<void> {
  try {
    if (isAccountToken(getSession().operatorToken)) {
      await callApi('DELETE', '/operator/sessions/current', { authScheme: 'operator' })
    }
  } catch (error) {
    // The session has ended already, or nothing answers: it then ends by itself within two hours.
    if (!(error instanceof ApiError)) throw error
  } finally {
    saveSession({ operatorToken: null, operatorSite: null })
  }
}
