import { useApiQuery } from '../../../api/queries.ts'

/** Which of these paths the program that runs here has: an older one lacks some of the sandbox's. */
export function useAvailablePaths(): (path: string) => boolean {
  const { data } = useApiQuery<{ paths: Record<string, unknown> }>('/openapi.json')
  return (path) => data !== undefined && path in data.paths
}
