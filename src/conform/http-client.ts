/** What the checks need of HTTP. The caller opens the connection, so it also words what goes wrong with it. */
export interface HttpClient {
  /** The address of the server, such as `http://127.0.0.1:8080`. */
  readonly address: string
  /** Sends one request and does not follow redirects. Rejects if there is no answer. */
  send(request: HttpRequest): Promise<HttpAnswer>
}

interface HttpRequest {
  method: string
  /** The path with its query, such as `/orders/1?access_token=…`. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string | FormData
  signal: AbortSignal
}

interface HttpAnswer {
  status: number
  headers: Headers
  text: string
}
