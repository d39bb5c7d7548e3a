import { useMatches } from '@tanstack/react-router'
import type { AuthScheme } from '../api/session.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may see the page: who opens it without that right is asked to sign in. */
    authScheme?: AuthScheme | 'either'
  }
}

/** By which right the page that is shown asks. */
export function useRequiredAuthScheme(): AuthScheme | 'either' | undefined {
  return useMatches()
    .map(({ staticData }) => staticData.authScheme)
    .findLast((authScheme) => authScheme !== undefined)
}

/** The same where it is one of the two: on pages that stand behind either. */
export function useAuthScheme(): AuthScheme {
  return useRequiredAuthScheme() === 'operator' ? 'operator' : 'user'
}

/** Where a page of this authScheme begins: `/operator` or nothing. */
export function useBase(): string {
  return useAuthScheme() === 'operator' ? '/operator' : ''
}
