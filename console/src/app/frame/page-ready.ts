import { type Query, useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Longer than the pause between rendering a page and the start of its first requests. */
const settledMs = 50

const isFirstRequest = ({ state }: Query) => state.data === undefined

/** Returns whether the page is complete: no route is loading and no data is requested for the first
 * time. Drives `aria-busy`, which assistive technology and browser tests wait for. */
export function useIsPageReady(): boolean {
  const isRouteLoading = useRouterState({ select: ({ status }) => status === 'pending' })
  const isIdle = useIsFetching({ predicate: isFirstRequest }) === 0 && !isRouteLoading
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    if (!isIdle) {
      setIsReady(false)
      return
    }
    const timer = setTimeout(() => setIsReady(true), settledMs)
    return () => clearTimeout(timer)
  }, [isIdle])
  return isReady
}
