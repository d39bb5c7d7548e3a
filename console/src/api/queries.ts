import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ApiFailure, type Asking, call, type Query } from './client.ts'
import type { Door } from './session.ts'
import { type Settings, settings } from './settings.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one however often it is asked for.
      retry: (count, error) => count < 2 && (!(error instanceof ApiFailure) || error.status === 0),
    },
  },
})

/** What is read under `path` by this door. Everything about one path lies under the key `[door, path]`. */
export function useGet<T>(
  path: string,
  asking: Pick<Asking, 'door' | 'query'> = {},
  options: { enabled?: boolean; refetchInterval?: number | false; keepsLast?: boolean } = {},
): UseQueryResult<T, Error> {
  const { door, query } = asking
  const { keepsLast, ...rest } = options
  return useQuery<T, Error>({
    queryKey: keyOf(door, path, query),
    queryFn: ({ signal }) => call<T>('GET', path, { ...asking, signal }),
    ...(keepsLast ? { placeholderData: (last) => last } : {}),
    ...rest,
  })
}

export function keyOf(door: Door | undefined, path: string, query?: Query): unknown[] {
  return query ? [door ?? 'anybody', path, query] : [door ?? 'anybody', path]
}

/** Has everything read anew that was read under these paths, whichever door. */
export async function refresh(...paths: string[]): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => paths.some((path) => String(queryKey[1]).startsWith(path)),
  })
}

export function useSettings(): UseQueryResult<Settings, Error> {
  return useQuery({
    queryKey: ['settings'],
    queryFn: settings,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
