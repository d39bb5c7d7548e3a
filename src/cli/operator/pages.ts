import { type ApiClient, type Json, withQuery } from '../client/client.ts'

const pageSize = 1_000

/** Reads all pages of a list that is paged by id (`next_after`). */
export async function readAll(client: ApiClient, path: string, name: string): Promise<Json[]> {
  const elements: Json[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: Json = await client.call('GET', withQuery(path, { after, limit: pageSize }))
    elements.push(...page[name])
    after = page.next_after
  }
  return elements
}

/** Reads one page of up to `limit` elements. `next` is null on the last page. */
export async function readOnePage(
  client: ApiClient,
  { path, name, after, limit }: { path: string; name: string; after?: number; limit: number },
): Promise<{ found: Json[]; next: number | null }> {
  const page = await client.call('GET', withQuery(path, { after, limit }))
  return { found: page[name], next: page.next_after }
}
