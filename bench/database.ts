import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  startEmbedded,
} from '../src/platform/postgres/embedded.ts'
import { reportCause, reportSymptom } from './failure.ts'
import { trackResource } from './resources.ts'

const readMs = 50

/** Starts the PostgreSQL of a benchmark. A failure is told with what its log says of it. */
export async function startDatabase(
  options: EmbeddedOptions,
): Promise<Pick<EmbeddedServer, 'url' | 'pid' | 'stop'>> {
  const server = await startEmbedded(options)
  void server.ended.then(({ expected }) => {
    if (!expected) reportCause('PostgreSQL has ended')
  })
  const stop = trackResource(async () => {
    await server.stop()
    // Its last lines may be read after its end.
    await pause(readMs)
    const cause = fatalErrorIn(server.logTail())
    if (cause !== undefined) reportCause(cause)
  })
  return { url: server.url, pid: server.pid, stop }
}

/** What ends connections or keeps PostgreSQL from writing; errors of single statements reach their callers. */
const fatalLogPattern =
  /PANIC: |No space left on device|Disk quota exceeded|was terminated by|out of memory/
const shutdownLogPattern = /received (\w+) shutdown request/

/** A benchmark asks for one fast shutdown; somebody else may have asked for another before. */
function fatalErrorIn(log: string): string | undefined {
  const lines = log.split('\n')
  const requests = lines.filter((line) => shutdownLogPattern.test(line))
  const [first] = requests
  const isForeign = requests.length > 1 || shutdownLogPattern.exec(first ?? '')?.[1] !== 'fast'
  const line = lines.find((each) => fatalLogPattern.test(each)) ?? (isForeign ? first : undefined)
  return line && `PostgreSQL: ${line.replace(/^.*?\] /, '')}`
}

/** Opens a connection. Without a listener, one that breaks would end the process before anybody learns why. */
export async function openConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' })
  client.on('error', (error) => reportSymptom(`a connection to PostgreSQL broke: ${error.message}`))
  await client.connect()
  return client
}

/** Opens a connection for `work` and closes it. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openConnection(url)
  return work(client).finally(() => client.end())
}
