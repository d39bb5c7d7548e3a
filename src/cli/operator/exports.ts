import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, stat, truncate } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { SiteId } from '../../kernel/sites.ts'
import { openClient, type ServerOptions, ServerUnavailable } from '../client/client.ts'
import { CommandFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'

export const exportKinds = [
  'orders',
  'payments',
  'shipments',
  'listings',
  'users',
  'claims',
  'messages',
] as const

type ExportOptions = ServerOptions & {
  kind: (typeof exportKinds)[number]
  format?: 'ndjson' | 'csv'
  seller?: number
  buyer?: number
  site?: SiteId
  status?: string
  filter?: string
  resume?: boolean
  out?: string
}

/**
 * `feria export KIND`: streams an export to standard output or a file. The file gets its name when it is complete; until
 * then it is FILE.part, after whose last entry `--resume` goes on.
 */
export async function exportCommand(
  { kind, format = 'ndjson', resume = false, out: file, ...options }: ExportOptions,
  out: Output,
): Promise<undefined> {
  if (resume && file === undefined) throw new CommandFailure('--resume needs --out FILE.')
  const { server, token, ...filters } = options
  const query = queryOf(kind, { ...filters, format })
  const part = `${file}.part`
  const position = resume ? await lastEntryOf(part, format) : undefined
  if (position) {
    query.set('after', position.id)
    await truncate(part, position.bytes)
  }
  const client = openClient({ ...(server && { server }), ...(token && { token }) })
  const { body } = await client.request('GET', `/operator/exports/${kind}?${query}`)
  const source = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
  const progress = out.progress({ unit: 'MB' })
  let bytes = position?.bytes ?? 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      progress.update(Math.floor(bytes / 1e6))
      done(null, chunk)
    },
  })
  try {
    if (file === undefined) {
      const decoder = new TextDecoder()
      for await (const chunk of source.pipe(counting)) {
        out.write(decoder.decode(chunk, { stream: true }))
      }
    } else {
      await pipeline(source, counting, createWriteStream(part, { flags: position ? 'a' : 'w' }))
    }
  } catch (error) {
    progress.end()
    const hint = file === undefined ? '' : `\nRun the command again with --resume to go on.`
    throw new ServerUnavailable(`The export broke off: ${(error as Error).message}${hint}`)
  }
  progress.end()
  if (file === undefined) return
  await rename(part, file)
  out.printResult({ file, bytes }, () => `The ${kind} are in ${file}`)
}

/** Returns the query of the request. Throws `CommandFailure` for a filter that is no `name=value`. */
function queryOf(
  kind: ExportOptions['kind'],
  options: Pick<ExportOptions, 'format' | 'seller' | 'buyer' | 'site' | 'status' | 'filter'>,
): URLSearchParams {
  const { format, seller, buyer, site, status, filter } = options
  const parameters = {
    format,
    seller,
    buyer,
    site_id: site,
    [kind === 'orders' ? 'order.status' : 'status']: status,
  }
  const query = new URLSearchParams(filter)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query
}

const newline = 0x0a
const quote = 0x22

/**
 * Returns the id of the last complete entry of a file, and the size of the file up to its end. Undefined if there is no
 * such entry. A line break inside a quoted cell of CSV ends no entry.
 */
async function lastEntryOf(
  file: string,
  format: 'ndjson' | 'csv',
): Promise<{ id: string; bytes: number } | undefined> {
  if (!existsSync(file) || (await stat(file)).size === 0) return undefined
  let entryStart = 0
  let end = 0
  let entries = 0
  let isQuoted = false
  let at = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      at++
      if (format === 'csv' && byte === quote) isQuoted = !isQuoted
      if (byte !== newline || isQuoted) continue
      entryStart = end
      end = at
      entries++
    }
  }
  // The first record of a CSV file is its header.
  if (entries <= (format === 'csv' ? 1 : 0)) return undefined
  const chunks = await createReadStream(file, { start: entryStart, end: end - 1 }).toArray()
  const text = Buffer.concat(chunks).toString('utf8')
  const id = format === 'csv' ? text.slice(0, text.indexOf(',')) : String(JSON.parse(text).id)
  return { id, bytes: end }
}
