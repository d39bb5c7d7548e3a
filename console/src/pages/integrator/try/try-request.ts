import { ApiError, tokenOf } from '../../../api/client.ts'
import type { TryCaller } from './OperationForm.tsx'

export interface TryRequest {
  method: string
  url: string
  caller: TryCaller
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

export interface TryResponse {
  status: number
  statusText: string
  headers: Record<string, string>
  text: string
  ms: number
}

/** Sends it as it is; a refusal is an answer like any other. Throws `ApiError` where none came. */
export async function sendTryRequest({
  method,
  url,
  caller,
  headers,
  body,
}: TryRequest): Promise<TryResponse> {
  const token = caller === 'nobody' ? undefined : await tokenOf(caller)
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
    throw new ApiError({ status: 0, code: 'unreachable', message: String(error) })
  }
}
