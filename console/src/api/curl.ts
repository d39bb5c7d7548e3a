/** A request as one would type it into a shell. */
export function curlOf({
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
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
