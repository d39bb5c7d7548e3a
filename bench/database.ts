import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startEmbedded,
} from '../src/platform/postgres/embedded.ts'
import { reportCause } from './failure.ts'
import { track } from './resources.ts'

/** The PostgreSQL of a benchmark. What its log says of a failure is told with the failure. */
export async function startDatabase(
  options: EmbeddedOptions,
): Promise<Pick<EmbeddedServer, 'url' | 'pid' | 'stop'>> {
  const log = join(options.dataDirectory, 'postgres.log')
  const from = sizeOf(log)
  const server = await startEmbedded(options)
  const stop = track(() => {
    // The log goes with its folder, before whoever tells of the failure could read it.
    const cause = troubleIn(log, from)
    if (cause !== undefined) reportCause(cause)
    return server.stop()
  })
  return { url: server.url, pid: server.pid, stop }
}

/** What ends connections or keeps PostgreSQL from writing; errors of single statements reach their callers. */
const trouble =
  /PANIC: |No space left on device|Disk quota exceeded|was terminated by|out of memory|received \w+ shutdown request/

function troubleIn(log: string, from: number): string | undefined {
  try {
    const bytes = readFileSync(log)
    // A log that grew too long was put aside and begun again.
    const text = bytes.subarray(from <= bytes.length ? from : 0).toString('utf8')
    const line = text.split('\n').find((each) => trouble.test(each))
    return line && `PostgreSQL: ${line.replace(/^.*?\] /, '')}`
  } catch {
    return undefined
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Opens a connection. Without a listener, one that breaks would end the process before anybody learns why. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' })
  client.on('error', (error) => reportCause(`a connection to PostgreSQL broke: ${error.message}`))
  await client.connect()
  return client
}

/** Opens a connection for `work` and closes it. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url)
  return work(client).finally(() => client.end())
}
