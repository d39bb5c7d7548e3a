/** Decodes a path whose separators are encoded. Old clients send path and query as `/orders%2Fsearch%3Fseller%3D1`. */
export function decodePath(url: string): string {
  if (!/^[^?]*%(2f|3f)/i.test(url)) return url
  const [path = '', ...rest] = url.split('?')
  try {
    const decoded = path.replace(/%(2f|3f|3d|26)/gi, (code) => decodeURIComponent(code))
    const query = rest.join('?')
    return query === '' ? decoded : `${decoded}${decoded.includes('?') ? '&' : '?'}${query}`
  } catch {
    return url
  }
}

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
