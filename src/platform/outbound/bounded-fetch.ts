/** A server that the settings name gave no usable answer: none in time, a longer one than allowed, or a status from 500. */
export class NoUsableAnswer extends Error {
  override name = 'NoUsableAnswer'
}

interface FetchOptions extends RequestInit {
  signal?: AbortSignal
}

/**
 * Sends a request to a server that the settings name, and reads its answer whole. The signal ends the reading too.
 * Addresses that others choose go through `makeSend` instead, which refuses private ones. Throws `NoUsableAnswer`.
 */
export async function boundedFetch(
  url: string,
  options: FetchOptions,
  { maxBytes }: { maxBytes: number },
): Promise<Response> {
  try {
    const response = await fetch(url, options)
    const { status, headers } = response
    const body = await readAtMost(response, maxBytes)
    if (status >= 500) throw new NoUsableAnswer(`${url} answered ${status}`)
    return new Response(body.length > 0 ? body : null, { status, headers })
  } catch (error) {
    if (error instanceof NoUsableAnswer) throw error
    throw new NoUsableAnswer(`${url} did not answer`, { cause: error })
  }
}

/** Reads a body, decompressed. Throws `NoUsableAnswer` if it is longer than `maxBytes`. */
async function readAtMost({ body, url }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > maxBytes) throw new NoUsableAnswer(`${url} answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
