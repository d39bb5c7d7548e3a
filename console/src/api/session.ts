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
  /** The site that lists are of, if the operator has several. */
  operatorSite: string | null
}

/** How a request authenticates: as the user who is signed in, or as the operator. */
export type AuthScheme = 'user' | 'operator'

const storageKey = 'feria-console-session'
const noSession: Session = { user: null, operatorToken: null, operatorSite: null }
const sessionListeners = new Set<() => void>()
let currentSession: Session = readStoredSession()

/** The tab's own: another tab, and the next start of the browser, sign in anew. */
function readStoredSession(): Session {
  try {
    const stored = JSON.parse(
      sessionStorage.getItem(storageKey) ?? 'null',
    ) as Partial<Session> | null
    return { ...noSession, ...stored }
  } catch {
    return noSession
  }
}

export function getSession(): Session {
  return currentSession
}

/** Changes the session of this tab and renders its users again. A field that is left out stays; null signs out of that
 * auth scheme. */
export function saveSession(change: Partial<Session>): void {
  currentSession = { ...currentSession, ...change }
  sessionStorage.setItem(storageKey, JSON.stringify(currentSession))
  for (const listener of sessionListeners) listener()
}

export function useSession(): Session {
  return useSyncExternalStore((listener) => {
    sessionListeners.add(listener)
    return () => sessionListeners.delete(listener)
  }, getSession)
}
