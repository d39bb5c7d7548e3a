/**
 * Returns a request as a shell command. With `tokenVariable` it sends the token of that shell variable: in
 * double quotes, because a shell expands nothing in single ones.
 */
export function curlCommandOf({
  method,
  url,
  headers,
  body,
  tokenVariable,
}: {
  method: string
  url: string
  headers: Readonly<Record<string, string | number>>
  body?: string | undefined
  tokenVariable?: string | undefined
}): string {
  const parts = [
    `curl -X ${method} ${shellQuoted(url)}`,
    ...(tokenVariable === undefined ? [] : [`-H "authorization: Bearer $${tokenVariable}"`]),
    ...Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
