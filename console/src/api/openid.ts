import { ApiError, callApi } from './client.ts'
import { saveSession } from './session.ts'
import { loadSettings } from './settings.ts'
import type { RequestBody, ResponseBody } from './types.ts'

/**
 * Signs operators in with the OpenID Connect provider of the settings (docs/operator-accounts.md). The verifier stays in
 * this tab, so that an answer is good only where its flow began. The token of the session is in no address.
 */
const paths = {
  'sign-in': '/operator/sign-in/openid',
  link: '/operator/accounts/me/identity',
  verification: '/operator/sessions/verify/openid',
} as const
type FlowPurpose = keyof typeof paths

type SignInPath = (typeof paths)['sign-in']
type BegunFlow = ResponseBody<`${SignInPath}/begin`, 'post'>
type FlowBody = RequestBody<SignInPath, 'post'>

interface PendingFlow {
  purpose: FlowPurpose
  state: string
  verifier: string
  /** Where in the console it goes on. */
  returnTo: string
}

const pendingKey = 'feria-console-openid'
const awaitingCodeKey = 'feria-console-openid-code'

function takeStored<T>(key: string): T | null {
  const stored = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return JSON.parse(stored ?? 'null') as T | null
}

/** Leads to the provider, which leads back to this page. Throws `ApiError`. */
export async function startProviderFlow(purpose: FlowPurpose): Promise<void> {
  const { redirect_uri } = await loadSettings()
  const home = new URL(redirect_uri).origin
  if (home !== location.origin) return location.assign(`${home}/console/`)
  const begun = await callApi<BegunFlow>('POST', `${paths[purpose]}/begin`, {
    body: {},
    ...(purpose === 'sign-in' ? {} : { authScheme: 'operator' }),
  })
  const { authorization_url, state, verifier } = begun
  const returnTo = location.pathname + location.search
  const pending: PendingFlow = { purpose, state, verifier, returnTo }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  location.assign(authorization_url)
}

/** Finishes the flow that this page was called with by the provider. Returns where to go on; throws what went wrong. */
export async function finishProviderFlow(answer: URLSearchParams): Promise<string> {
  const pending = takeStored<PendingFlow>(pendingKey)
  if (!pending || pending.state !== answer.get('state')) {
    throw new Error('state: this sign-in did not begin in this tab')
  }
  const code = answer.get('code')
  if (!code) throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'no code')
  const { purpose, state, verifier, returnTo } = pending
  const iss = answer.get('iss')
  const body: FlowBody = {
    state,
    verifier,
    authorization_code: code,
    ...(iss === null ? {} : { iss }),
  }
  if (purpose === 'sign-in') await signIn(body)
  else await callApi('POST', paths[purpose], { authScheme: 'operator', body })
  return returnTo
}

/** Opens a session in this tab, or keeps the answer of the provider until a code was entered. */
async function signIn(body: FlowBody): Promise<void> {
  try {
    const path = paths['sign-in']
    const { token } = await callApi<ResponseBody<typeof path, 'post'>>('POST', path, { body })
    saveSession({ operatorToken: token })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'code_required')) throw error
    sessionStorage.setItem(awaitingCodeKey, JSON.stringify(body))
  }
}

/** Returns whether a sign-in with the provider waits for a code of the authenticator app. */
export function isAwaitingCode(): boolean {
  return sessionStorage.getItem(awaitingCodeKey) !== null
}

export function cancelAwaitedCode(): void {
  sessionStorage.removeItem(awaitingCodeKey)
}

/** Goes on with a sign-in that waits for a code. Throws `ApiError`: `sign_in_failed` for a wrong code. */
export async function signInWithCode(code: string): Promise<void> {
  const body = JSON.parse(sessionStorage.getItem(awaitingCodeKey) ?? '{}') as FlowBody
  await signIn({ ...body, code })
  cancelAwaitedCode()
}
