import type { ResponseBody } from 'feria/client'
import type { ApiClient } from '../client/client.ts'

type Application = ResponseBody<'/operator/applications', 'get'>['applications'][number]

const pageSize = 1_000

/** Reads all applications, page by page. */
export async function readApplications(client: ApiClient): Promise<Application[]> {
  const applications: Application[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: ResponseBody<'/operator/applications', 'get'> = await client.call(
      'GET',
      '/operator/applications',
      { query: { after, limit: pageSize } },
    )
    applications.push(...page.applications)
    after = page.next_after
  }
  return applications
}
