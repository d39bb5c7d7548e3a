import assert from 'node:assert/strict'
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from './cli-fixture.ts'
import { nextEvent, pollUntil, programBoundMs, within } from './wait.ts'

/** The folder of a PostgreSQL's programs that this system has, server and tools of one version. */
export const systemPostgres = globSync('/usr/lib/postgresql/*/bin')
  .filter((each) => ['initdb', 'postgres', 'pg_dump'].every((file) => existsSync(join(each, file))))
  .sort()
  .at(-1)

/** Why a test that needs it is skipped; false when it is there. */
export const skipWithoutSystemPostgres = systemPostgres
  ? false
  : 'this system has no PostgreSQL with pg_dump'

const programOf = (name: string) => join(systemPostgres ?? '', name)

/** PostgreSQL does not run as root: Debian’s package brings an account for it. */
function postgresAccount(): { uid?: number; gid?: number } {
  if (process.geteuid?.() !== 0) return {}
  const idOf = (which: string) => Number(spawnSync('id', [which, 'postgres']).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Runs one of its programs to the end, and returns what it printed. */
export async function runPostgres(
  program: string,
  args: string[],
  options: SpawnOptions = {},
): Promise<string> {
  const child = spawn(programOf(program), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error, [code]] = await within(
    `${program} to end`,
    Promise.all([
      text(child.stdout as NonNullable<typeof child.stdout>),
      text(child.stderr as NonNullable<typeof child.stderr>),
      once(child, 'exit'),
    ]),
    programBoundMs,
  )
  assert.equal(code, 0, `${program} ${args.join(' ')}: ${out}${error}`)
  return out
}

export interface SystemPostgresServer {
  /** Options of its tools that lead to it. */
  connectionOptions: readonly string[]
  url(database: string): string
  stop(): Promise<void>
}

/** Starts a server of the system’s PostgreSQL, whose data lie in this folder. */
export async function openSystemServer(
  folder: string,
  name = 'server',
  { tls }: { tls?: { certFile: string; keyFile: string } } = {},
): Promise<SystemPostgresServer> {
  const data = join(folder, name)
  const who = postgresAccount()
  mkdirSync(data)
  if (who.uid !== undefined && who.gid !== undefined) {
    chownSync(folder, who.uid, who.gid)
    chownSync(data, who.uid, who.gid)
  }
  const plain = { ...who, cwd: folder }
  const initdbArgs = ['-D', data, '-U', 'feria', '-A', 'trust', '--no-sync', '-E', 'UTF8']
  await runPostgres('initdb', initdbArgs, plain)
  const port = await freePort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${data}`]
  if (tls) {
    settings.push('ssl=on', `ssl_cert_file=${tls.certFile}`, `ssl_key_file=${tls.keyFile}`)
    // PostgreSQL refuses a key that others own or may read.
    if (who.uid !== undefined && who.gid !== undefined) chownSync(tls.keyFile, who.uid, who.gid)
  }
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
  const server = spawn(programOf('postgres'), args, { ...plain, stdio: 'ignore' })
  const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'feria']
  await pollUntil('the server to answer', () => spawnSync(programOf('pg_isready'), at).status === 0)
  return {
    connectionOptions: at,
    url: (name) => `postgres://feria@127.0.0.1:${port}/${name}`,
    async stop() {
      const exited = nextEvent(server, 'exit')
      server.kill('SIGINT')
      await exited
    },
  }
}
