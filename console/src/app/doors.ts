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

/** The same where it is one of the two: on pages that stand behind either. */
export function useDoor(): Door {
  return useNeededDoor() === 'operator' ? 'operator' : 'user'
}

/** Where a page of this door begins: `/operator` or nothing. */
export function useBase(): string {
  return useDoor() === 'operator' ? '/operator' : ''
}
