import { useMatches } from '@tanstack/react-router'
import type { AuthScheme } from '../api/session.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The auth scheme that the page requires. Without it the page asks to sign in. */
    authScheme?: AuthScheme | 'either'
  }
}

/** Returns the auth scheme that the current page requires. */
export function useRequiredAuthScheme(): AuthScheme | 'either' | undefined {
  return useMatches()
    .map(({ staticData }) => staticData.authScheme)
    .findLast((authScheme) => authScheme !== undefined)
}

/** The same where it is one of the two: on pages that stand behind either. */
export function useAuthScheme(): AuthScheme {
  return useRequiredAuthScheme() === 'operator' ? 'operator' : 'user'
}

/** Returns the path prefix of the pages of this auth scheme: `/operator` or nothing. */
export function useBasePath(): string {
  return useAuthScheme() === 'operator' ? '/operator' : ''
}
