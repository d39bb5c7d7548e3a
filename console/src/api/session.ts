import { useSyncExternalStore } from 'react'

/** Who has signed in with a password, by OAuth. */
export interface UserSession {
  accessToken: string
  /** Spent by its use; null where none was granted. */
  refreshToken: string | null
  /** When the access token ends, by this machine's clock, in milliseconds. */
  expiresAt: number
  userId: number
  nickname: string
  siteId: string
}

/** A tab may be signed in with both auth schemes at once. */
export interface Session {
  user: UserSession | null
  operatorToken: string | null
}

/** How a request authenticates: as the user who is signed in, or as the operator. */
export type AuthScheme = 'user' | 'operator'

const key = 'feria-console-session'
const listeners = new Set<() => void>()
let current: Session = read()

/** The tab's own: another tab, and the next start of the browser, sign in anew. */
function read(): Session {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Session | null
    return { user: kept?.user ?? null, operatorToken: kept?.operatorToken ?? null }
  } catch {
    return { user: null, operatorToken: null }
  }
}

export function sessionNow(): Session {
  return current
}

/** Changes the session of this tab and renders its users again. A field that is left out stays; null signs out of that
 * auth scheme. */
export function saveSession(change: Partial<Session>): void {
  current = { ...current, ...change }
  sessionStorage.setItem(key, JSON.stringify(current))
  for (const listener of listeners) listener()
}

export function useSession(): Session {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, sessionNow)
}
