import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'

type FilterOptions = ServerOptions & {
  actor?: string
  target?: string
  operation?: string
  since?: string
  until?: string
}

/** `feria audit list`: shows entries of the audit log, the newest first. */
export async function listEntriesCommand(
  {
    actor,
    target,
    operation,
    since,
    until,
    cursor,
    limit,
    ...options
  }: FilterOptions & { cursor?: string; limit?: number },
  out: Output,
): Promise<undefined> {
  const page = await openClient(options).call('GET', '/operator/audit-log', {
    query: { actor, target, operation, from: since, to: until, cursor, limit },
  })
  out.printResult(page, () =>
    page.results.length === 0
      ? 'The audit log has no such entries.'
      : alignColumns([
          ['DATE', 'ACTOR', 'OPERATION', 'TARGET', 'REASON'],
          ...page.results.map((entry) => [
            entry.date,
            entry.actor_name ?? entry.actor,
            entry.operation,
            entry.target ? `${entry.target.kind}:${entry.target.id}` : '',
            entry.reason ?? '',
          ]),
        ]),
  )
  if (page.next_cursor !== null) {
    out.printNote(`There are more entries. Continue with: --cursor ${page.next_cursor}`)
  }
}

/** `feria audit export`: streams entries to standard output or a file. */
export async function exportEntriesCommand(
  {
    actor,
    target,
    operation,
    since,
    until,
    format,
    out: file,
    ...options
  }: FilterOptions & { format?: 'ndjson' | 'csv'; out?: string },
  out: Output,
): Promise<undefined> {
  const parameters = { actor, target, operation, from: since, to: until, format }
  const query = new URLSearchParams(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const path = `/operator/audit-log/export?${query}`
  const { body } = await openClient(options).request('GET', path)
  const source = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
  if (file === undefined) {
    const decoder = new TextDecoder()
    for await (const bytes of source) out.write(decoder.decode(bytes, { stream: true }))
    return
  }
  // The file gets its name only when it is complete.
  await pipeline(source, createWriteStream(`${file}.part`))
  await rename(`${file}.part`, file)
  out.printResult({ file }, () => `The entries are in ${file}`)
}
