import {
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { ApiError, callApi, type QueryParameters, type RequestOptions } from './client.ts'
import type { AuthScheme } from './session.ts'
import { type ConsoleSettings, loadSettings } from './settings.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An error response stays the same on retry; only a missing answer is worth one.
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status === 0),
    },
  },
})

/** Reads `path` with this auth scheme. All queries of one path share the key `[authScheme, path]`. */
export function useApiQuery<T>(
  path: string,
  asking: Pick<RequestOptions, 'authScheme' | 'query' | 'readsEtag'> = {},
  options: Pick<UseQueryOptions<T, Error>, 'enabled' | 'refetchInterval'> & {
    keepsLast?: boolean
  } = {},
): UseQueryResult<T, Error> {
  const { authScheme, query } = asking
  const { keepsLast, ...rest } = options
  return useQuery<T, Error>({
    queryKey: queryKeyOf(authScheme, path, query),
    queryFn: ({ signal }) => callApi<T>('GET', path, { ...asking, signal }),
    ...(keepsLast ? { placeholderData: (last) => last } : {}),
    ...rest,
  })
}

export function queryKeyOf(
  authScheme: AuthScheme | undefined,
  path: string,
  query?: QueryParameters,
): unknown[] {
  return query ? [authScheme ?? 'anybody', path, query] : [authScheme ?? 'anybody', path]
}

/** Refetches everything that was read under these paths, with any auth scheme. */
export async function invalidatePaths(...paths: string[]): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => paths.some((path) => String(queryKey[1]).startsWith(path)),
  })
}

/** Drops everything that only those who are signed in could read. Settings are the same for all. */
export function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
}

export function useSettings(): UseQueryResult<ConsoleSettings, Error> {
  return useQuery({
    queryKey: ['settings'],
    queryFn: loadSettings,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
