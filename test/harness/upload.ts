import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { deflateSync } from 'node:zlib'
import { within } from './wait.ts'

const boundary = '----boundary-of-the-tests'
export const formContentType = `multipart/form-data; boundary=${boundary}`
export const formEnd = `\r\n--${boundary}--\r\n`

export interface FormPart {
  field?: string
  /** None makes it a plain field. */
  filename?: string
  /** Instead of one made of `field` and `filename`. */
  disposition?: string
  content?: string | Uint8Array
}

/** The beginning of a part, up to its first byte. */
export function partHeader({ field = 'file', filename, disposition }: FormPart): string {
  const quoted = (text: string) => text.replaceAll('"', '\\"')
  const named = `form-data; name="${quoted(field)}"`
  const usual = filename === undefined ? named : `${named}; filename="${quoted(filename)}"`
  const type = filename === undefined ? '' : 'Content-Type: application/octet-stream\r\n'
  return `--${boundary}\r\nContent-Disposition: ${disposition ?? usual}\r\n${type}\r\n`
}

/** A form, whole. */
export function multipartForm(...parts: FormPart[]): Buffer {
  const pieces = parts.flatMap((part, index) => [
    Buffer.from(`${index > 0 ? '\r\n' : ''}${partHeader(part)}`),
    bytesOf(part.content ?? ''),
  ])
  return Buffer.concat([...pieces, Buffer.from(formEnd)])
}

/** Copies nothing: files are of up to 25 MB. */
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? Buffer.from(content) : content

export interface RawResponse {
  status: number
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any
  bytes: Buffer
}

/** A request whose body the test sends as it likes. `answer` rejects when the connection breaks. */
export function openRequest(
  address: string,
  target: { method: string; path: string; headers: Record<string, string> },
): { request: ClientRequest; answer: Promise<RawResponse> } {
  const { hostname, port } = new URL(address)
  const { method, path, headers } = target
  // As most clients do, it keeps its connection, though nobody comes after it.
  const agent = new Agent({ keepAlive: true })
  const request = httpRequest({ hostname, port, method, path, headers, agent })
  request.on('close', () => agent.destroy())
  const answer = new Promise<RawResponse>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      readResponse(response).then(resolve, reject)
    })
  })
  // Whoever does not look at the answer does not mind how it ended.
  answer.catch(() => {})
  return { request, answer }
}

async function readResponse(response: IncomingMessage): Promise<RawResponse> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const isJson = response.headers['content-type']?.startsWith('application/json')
  const body = isJson ? JSON.parse(bytes.toString()) : undefined
  return { status: response.statusCode ?? 0, headers: response.headers, body, bytes }
}

export const uploadPath = '/messages/attachments?tag=post_sale&site_id=MLA'

/** An upload that the test goes on sending by `request`. */
export function startUpload(
  address: string,
  {
    token,
    path = uploadPath,
    type = formContentType,
  }: { token: string; path?: string; type?: string },
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  return openRequest(address, { method: 'POST', path, headers })
}

/** Sends a piece; resolves once the connection has taken it. */
export async function writePiece(
  request: ClientRequest,
  piece: string | Uint8Array,
): Promise<void> {
  // On a connection that was closed there is never room again.
  if (!request.write(piece))
    await within(
      'room on the connection, or its end',
      Promise.race([once(request, 'drain'), once(request, 'close')]),
    )
}

/** Uploads a form, and answers what came back. */
export async function uploadForm(
  address: string,
  { token, path, type, form }: { token: string; path?: string; type?: string; form: Uint8Array },
): Promise<RawResponse> {
  const upload = { token, ...(path ? { path } : {}), ...(type ? { type } : {}) }
  const { request, answer } = startUpload(address, upload)
  request.end(form)
  return answer
}

/** Uploads a file that is accepted; answers its id. */
export async function uploadFile(
  address: string,
  { token, ...file }: { token: string; filename?: string; content?: string | Uint8Array },
): Promise<string> {
  const part = { filename: 'nota.txt', content: 'Hola', ...file }
  const { status, body, bytes } = await uploadForm(address, { token, form: multipartForm(part) })
  assert.equal(status, 201, bytes.toString())
  return body.id
}

/** Reads an attachment. */
export function download(
  address: string,
  { token, id, headers = {} }: { token: string; id: string; headers?: Record<string, string> },
): Promise<RawResponse> {
  const path = `/messages/attachments/${id}?tag=post_sale&site_id=MLA`
  const all = { authorization: `Bearer ${token}`, ...headers }
  const { request, answer } = openRequest(address, { method: 'GET', path, headers: all })
  request.end()
  return answer
}

/** A picture of one dot. */
export const png = pngOf([])
/** The same with a colour profile that is longer than what is looked at to tell its type. */
export const pngWithProfile = pngOf([chunk('iCCP', Buffer.alloc(20_000, 7))])
export const jpg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)
const pdfHead = Buffer.from(
  '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n',
  'latin1',
)
const pdfTail = Buffer.from('\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')
export const pdf = pdfContaining('')

/** A PDF with something in it that is not compressed. */
export function pdfContaining(inside: string | Uint8Array): Buffer {
  return Buffer.concat([pdfHead, bytesOf(inside), pdfTail])
}

/** A PDF of so many bytes. */
export function pdfOfSize(size: number): Buffer {
  const sized = Buffer.alloc(size, 0x80)
  pdfHead.copy(sized)
  pdfTail.copy(sized, size - pdfTail.length)
  return sized
}

function pngOf(more: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Without a sum that would hold: nobody here looks at it. */
function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)])
}
