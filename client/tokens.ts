import { FeriaFailure } from './failure.ts'

/** Tokens of an authorization, as `POST /oauth/token` returns them. */
export interface Tokens {
  accessToken: string
  /** Valid for one use; undefined for tokens of the application itself. */
  refreshToken?: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Where you keep the tokens of one authorization. `write` must resolve only when they are stored durably. The new access
 * token is used after that, because the old refresh token is void, and using it twice ends the authorization.
 */
export interface TokenStore {
  read(): Promise<Tokens>
  write(tokens: Tokens): Promise<void>
  /** If several processes share the tokens: runs `renew` while no other process does. */
  alone?<T>(renew: () => Promise<T>): Promise<T>
}

export interface GrantOptions {
  clientId: number | string
  clientSecret?: string
  store: TokenStore
}

/** The source of the tokens of requests. */
export interface TokenSource {
  token(): Promise<string | undefined>
  /** Resolves with a token to replace a refused one, or undefined if there is none. */
  replacementFor(refused: string): Promise<string | undefined>
}

/** A token is renewed this long before it expires, so that no request in flight outlives it. */
const marginMs = 60_000

/** Returns a source of one fixed token, which is never renewed. */
export const fixedTokenSource = (token: string | undefined): TokenSource => ({
  token: async () => token,
  replacementFor: async () => undefined,
})

interface RenewalOptions {
  baseUrl: string
  grant: GrantOptions
  fetch: (request: Request) => Promise<Response>
  now: () => number
}

/** Returns a source that renews tokens that expire or were refused. One renewal runs at a time, and is stored before use. */
export function renewingTokenSource({ baseUrl, grant, fetch, now }: RenewalOptions): TokenSource {
  const { store } = grant
  const alone = store.alone?.bind(store) ?? (<T>(renew: () => Promise<T>) => renew())
  let renewal: Promise<string> | undefined

  /** Joins the running renewal, or begins one. If the stored tokens satisfy `isGood`, another process has renewed them. */
  function renew(isGood: (tokens: Tokens) => boolean): Promise<string> {
    renewal ??= alone(async () => {
      const stored = await store.read()
      if (isGood(stored)) return stored.accessToken
      const renewed = await exchange(stored)
      await store.write(renewed)
      return renewed.accessToken
    }).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function exchange({ refreshToken }: Tokens): Promise<Tokens> {
    const { clientId, clientSecret } = grant
    const grantFields = refreshToken
      ? { grant_type: 'refresh_token', refresh_token: refreshToken }
      : { grant_type: 'client_credentials' }
    const form = new URLSearchParams({ ...grantFields, client_id: String(clientId) })
    if (clientSecret !== undefined) form.set('client_secret', clientSecret)
    const url = `${baseUrl}/oauth/token`
    // `fetch` retries a POST only after 429. A refresh token that is used again later ends the authorization.
    const answer = await fetch(new Request(url, { method: 'POST', body: form }))
    if (!answer.ok) throw await FeriaFailure.of(answer)
    const body = (await answer.json()) as TokenResponse
    const expiresAt = now() + body.expires_in * 1000
    const refresh = body.refresh_token ? { refreshToken: body.refresh_token } : {}
    return { accessToken: body.access_token, expiresAt, ...refresh }
  }

  return {
    async token() {
      const isFresh = ({ expiresAt }: Tokens) => expiresAt - now() > marginMs
      const stored = await store.read()
      return isFresh(stored) ? stored.accessToken : renew(isFresh)
    },
    replacementFor: (refused) => renew(({ accessToken }) => accessToken !== refused),
  }
}

interface TokenResponse {
  access_token: string
  expires_in: number
  refresh_token?: string
}

/** Returns a store in memory, for a program that gets its tokens at its start. */
export function memoryStore(tokens: Tokens): TokenStore {
  let current = tokens
  return {
    read: async () => current,
    write: async (next) => {
      current = next
    },
  }
}
