import { FeriaFailure } from './failure.ts'

/** What an authorisation gave (contract 5, `POST /oauth/token`). */
export interface Tokens {
  accessToken: string
  /** Spent by its use; undefined for tokens of the application itself. */
  refreshToken?: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Where an integrator keeps the tokens of one authorisation. `write` resolves when they are kept for
 * good: only then is the new access token used, because the refresh token before it is worth nothing
 * any more and one that comes a second time ends the authorisation.
 */
export interface TokenStore {
  read(): Promise<Tokens>
  write(tokens: Tokens): Promise<void>
  /** Where several processes share the tokens: runs this while no other process renews. */
  alone?<T>(renew: () => Promise<T>): Promise<T>
}

export interface Grant {
  clientId: number | string
  clientSecret?: string
  store: TokenStore
}

/** Where requests get their token from. */
export interface TokenSource {
  token(): Promise<string | undefined>
  /** A token in place of this one, which was refused; undefined when there is none to be had. */
  another(refused: string): Promise<string | undefined>
}

/** Renewed so long before its end: a request under way must not outlive it. */
const marginMs = 60_000

/** One token for good: whoever made it looks after it. */
export const fixedToken = (token: string | undefined): TokenSource => ({
  token: async () => token,
  another: async () => undefined,
})

interface Renewing {
  baseUrl: string
  grant: Grant
  fetch: (request: Request) => Promise<Response>
  now: () => number
}

/** Tokens that are renewed when they are about to end or were refused: one renewal at a time, kept by
 * the store before anybody uses it. */
export function renewedTokens({ baseUrl, grant, fetch, now }: Renewing): TokenSource {
  const { store } = grant
  const alone = store.alone?.bind(store) ?? (<T>(renew: () => Promise<T>) => renew())
  let renewal: Promise<string> | undefined

  /** Joins the renewal that is under way, or begins one; `isGood` says of what the store holds by
   * then whether somebody else has renewed it already. */
  function renew(isGood: (tokens: Tokens) => boolean): Promise<string> {
    renewal ??= alone(async () => {
      const kept = await store.read()
      if (isGood(kept)) return kept.accessToken
      const renewed = await exchange(kept)
      await store.write(renewed)
      return renewed.accessToken
    }).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function exchange({ refreshToken }: Tokens): Promise<Tokens> {
    const { clientId, clientSecret } = grant
    const asked = refreshToken
      ? { grant_type: 'refresh_token', refresh_token: refreshToken }
      : { grant_type: 'client_credentials' }
    const form = new URLSearchParams({ ...asked, client_id: String(clientId) })
    if (clientSecret !== undefined) form.set('client_secret', clientSecret)
    const url = `${baseUrl}/oauth/token`
    // Tried again only where it was not done (429): a refresh token that comes again after the grace ends everything.
    const answer = await fetch(new Request(url, { method: 'POST', body: form }))
    if (!answer.ok) throw await FeriaFailure.of(answer)
    const body = (await answer.json()) as Issued
    const expiresAt = now() + body.expires_in * 1000
    const refresh = body.refresh_token ? { refreshToken: body.refresh_token } : {}
    return { accessToken: body.access_token, expiresAt, ...refresh }
  }

  return {
    async token() {
      const isFresh = ({ expiresAt }: Tokens) => expiresAt - now() > marginMs
      const kept = await store.read()
      return isFresh(kept) ? kept.accessToken : renew(isFresh)
    },
    another: (refused) => renew(({ accessToken }) => accessToken !== refused),
  }
}

interface Issued {
  access_token: string
  expires_in: number
  refresh_token?: string
}

/** Tokens in memory, for a program that is given them at its start. */
export function memoryStore(tokens: Tokens): TokenStore {
  let kept = tokens
  return {
    read: async () => kept,
    write: async (next) => {
      kept = next
    },
  }
}
