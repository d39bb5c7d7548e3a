/** A request as one would type it into a shell. */
export function curlCommandOf({
  method,
  url,
  headers,
  body,
}: {
  method: string
  url: string
  headers: Readonly<Record<string, string | number>>
  body?: string | undefined
}): string {
  const parts = [
    `curl -X ${method} ${shellQuoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
