/** Returns an entry of a list as its own operations answer it: without its version. */
export function withoutEtag<Entry extends { etag: string }>({ etag: _, ...entry }: Entry) {
  return entry
}
