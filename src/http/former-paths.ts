/** Paths under their names of earlier versions, and what they are called now. Undocumented; they end with version 2. */
const formerPaths: readonly (readonly [former: RegExp, current: string])[] = [
  [/^((?:\/operator)?\/applications\/[^/?]+)\/lane(?=\?|$)/, '$1/queue'],
]

/** Returns a URL with the present name of its path; other URLs as they are. */
export function currentUrl(url: string): string {
  for (const [former, current] of formerPaths) {
    if (former.test(url)) return url.replace(former, current)
  }
  return url
}
