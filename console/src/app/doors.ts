import { useMatches } from '@tanstack/react-router'
import type { Door } from '../api/session.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may see the page: who opens it without that right is asked to sign in. */
    door?: Door | 'either'
  }
}

/** By which right the page that is shown asks. */
export function useNeededDoor(): Door | 'either' | undefined {
  return useMatches()
    .map(({ staticData }) => staticData.door)
    .findLast((door) => door !== undefined)
}
