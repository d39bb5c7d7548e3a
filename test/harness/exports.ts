import { request } from 'node:http'
import { operatorToken, type TestApp } from './app.ts'

/** An export as a client of HTTP sees it, which looks at trailers and at how the connection ends. */
export interface Download {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
  trailers: NodeJS.Dict<string>
  /** Whether the answer ended as HTTP says that it does. */
  isComplete: boolean
}

/** Downloads the answer of a path with the operator's token. */
export function download(app: TestApp, path: string, method = 'GET'): Promise<Download> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  return new Promise((resolve, reject) => {
    const sent = request(app.address + path, { method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      // A broken answer is what some tests expect.
      answer.on('error', () => {})
      answer.on('close', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          trailers: answer.trailers,
          isComplete: answer.complete,
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

export const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)
