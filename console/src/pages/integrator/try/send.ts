import { ApiFailure, tokenOf } from '../../../api/client.ts'
import type { Who } from './Call.tsx'

export interface Request {
  method: string
  url: string
  who: Who
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

export interface Answered {
  status: number
  statusText: string
  headers: Record<string, string>
  text: string
  ms: number
}

/** Sends it as it is; a refusal is an answer like any other. Throws `ApiFailure` where none came. */
export async function send({ method, url, who, headers, body }: Request): Promise<Answered> {
  const token = who === 'nobody' ? undefined : await tokenOf(who)
  const began = performance.now()
  try {
    const response = await fetch(url, {
      method,
      credentials: 'omit',
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return {
      status: response.status,
      statusText: response.statusText,
      text,
      headers: Object.fromEntries(response.headers),
      ms: Math.round(performance.now() - began),
    }
  } catch (error) {
    throw new ApiFailure({ status: 0, code: 'unreachable', message: String(error) })
  }
}
