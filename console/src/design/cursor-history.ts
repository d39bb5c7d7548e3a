import { useState } from 'react'

/**
 * Remembers the cursors of the pages that were left for the next one: lists that are paged by a cursor
 * know no way back by themselves. An address that was opened in the middle of a list has no page before.
 */
export function useCursorHistory(current: string): {
  before: string | undefined
  leave: () => void
} {
  const [trail, setTrail] = useState<readonly string[]>([])
  // The browser's own way back, or another filter, may have led to a page that was left before.
  const at = trail.indexOf(current)
  const passed = at < 0 ? trail : trail.slice(0, at)
  return { before: passed.at(-1), leave: () => setTrail([...passed, current]) }
}
