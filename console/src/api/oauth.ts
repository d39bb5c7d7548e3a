import { getSession, saveSession, type UserSession } from './session.ts'
import { loadSettings } from './settings.ts'
import type { ResponseBody } from './types.ts'

/**
 * Signing in as any application lets its users in: a code by way of the authorisation page, with PKCE,
 * and tokens for it (docs/api/sign-in.md). The console is a public application, so it has no secret.
 */
type TokenResponse = ResponseBody<'/oauth/token', 'post'>

interface PendingSignIn {
  state: string
  verifier: string
  /** Where in the console it goes on. */
  returnTo: string
}

const pendingKey = 'feria-console-sign-in'
/** Between tabs: a tab that was opened from another begins with a copy of what that one has. */
const sessionChannel = new BroadcastChannel('feria-console')
sessionChannel.onmessage = ({
  data,
}: MessageEvent<{ spent: string; user: UserSession | null }>) => {
  if (getSession().user?.refreshToken === data.spent) saveSession({ user: data.user })
}

/** Why one cannot sign in here; undefined where one can. Browsers do what PKCE takes on secure
 * addresses only: https, and this machine's own. */
export function signInObstacle(): 'insecure' | undefined {
  return globalThis.crypto?.subtle ? undefined : 'insecure'
}

/** Leads to the authorisation page. */
export async function startSignIn(returnTo: string): Promise<void> {
  const { client_id, redirect_uri } = await loadSettings()
  const home = new URL(redirect_uri).origin
  if (home !== location.origin) return location.assign(`${home}/console/`)
  const [state, verifier] = [randomText(), randomText()]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  sessionStorage.setItem(pendingKey, JSON.stringify({ state, verifier, returnTo }))
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: String(client_id),
    redirect_uri,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  location.assign(`/authorization?${parameters}`)
}

/** Makes tokens of the answer that this page was called with. Returns where to go on; throws what went
 * wrong, as the service reports it. */
export async function finishSignIn(answer: URLSearchParams): Promise<string> {
  const pending = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null') as PendingSignIn | null
  sessionStorage.removeItem(pendingKey)
  const { client_id, redirect_uri } = await loadSettings()
  const isOurs = pending?.state === answer.get('state')
  if (!pending || !isOurs || answer.get('iss') !== issuerUrlOf(redirect_uri)) {
    throw new Error('state: this sign-in did not begin in this tab')
  }
  const code = answer.get('code')
  if (!code) throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'no code')
  const tokens = await requestTokens({
    grant_type: 'authorization_code',
    client_id: String(client_id),
    code,
    redirect_uri,
    code_verifier: pending.verifier,
  })
  const who = await fetch('/users/me', {
    headers: { authorization: `Bearer ${tokens.access_token}` },
    credentials: 'omit',
  })
  const { nickname, site_id: siteId } = (await who.json()) as ResponseBody<'/users/me', 'get'>
  saveSession({ user: { ...createUserSession(tokens), nickname, siteId } })
  return pending.returnTo
}

const issuerUrlOf = (redirectUri: string) => redirectUri.replace(/\/console\/callback$/, '')

let pendingRenewal: Promise<UserSession | null> | undefined

/** The session with a new access token; null where it is over. A refresh token that is used twice ends
 * everything, so there is one renewal at a time, in this tab and between tabs. */
export function renewUserSession(user: UserSession): Promise<UserSession | null> {
  pendingRenewal ??= withRenewalLock(() => requestRenewal(user)).finally(() => {
    pendingRenewal = undefined
  })
  return pendingRenewal
}

function withRenewalLock(work: () => Promise<UserSession | null>): Promise<UserSession | null> {
  return navigator.locks ? navigator.locks.request('feria-console-renewal', work) : work()
}

async function requestRenewal(before: UserSession): Promise<UserSession | null> {
  // A message that another tab has sent meanwhile is handled first.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const { user } = getSession()
  if (user?.accessToken !== before.accessToken) return user
  if (user.refreshToken === null) return endUserSession()
  const spent = user.refreshToken
  try {
    const { client_id } = await loadSettings()
    const tokens = await requestTokens({
      grant_type: 'refresh_token',
      client_id: String(client_id),
      refresh_token: spent,
    })
    const next = { ...user, ...createUserSession(tokens) }
    saveSession({ user: next })
    sessionChannel.postMessage({ spent, user: next })
    return next
  } catch (error) {
    // Nobody answered: it may be good the next time.
    if (error instanceof TypeError) throw error
    return endUserSession()
  }
}

export function endUserSession(): null {
  saveSession({ user: null })
  return null
}

/** Ends what this sign-in led to, here and at the service. */
export async function signOut(): Promise<void> {
  const { user } = getSession()
  endUserSession()
  if (!user) return
  const { client_id } = await loadSettings()
  const token = user.refreshToken ?? user.accessToken
  await fetch('/oauth/revoke', {
    method: 'POST',
    body: new URLSearchParams({ token, client_id: String(client_id) }),
    credentials: 'omit',
  })
}

async function requestTokens(fields: Record<string, string>): Promise<TokenResponse> {
  const response = await fetch('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams(fields),
    credentials: 'omit',
  })
  const body = (await response.json()) as TokenResponse & {
    error_description?: string
    message?: string
  }
  if (!response.ok) throw new Error(body.error_description ?? body.message)
  return body
}

function createUserSession({ access_token, refresh_token, expires_in, user_id }: TokenResponse) {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: Date.now() + expires_in * 1_000,
    userId: user_id,
  }
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
