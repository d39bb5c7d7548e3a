import { type Client, type Json, withQuery } from '../client.ts'

const pageSize = 1_000

/** All of a list that goes on behind its last id. */
export async function readAll(client: Client, path: string, name: string): Promise<Json[]> {
  const all: Json[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: Json = await client.call('GET', withQuery(path, { after, limit: pageSize }))
    all.push(...page[name])
    after = page.next_after
  }
  return all
}

/** At most so many of it. */
export async function readSome(
  client: Client,
  { path, name, after, limit }: { path: string; name: string; after?: number; limit: number },
): Promise<{ found: Json[]; next: number | null }> {
  const page = await client.call('GET', withQuery(path, { after, limit }))
  return { found: page[name], next: page.next_after }
}
