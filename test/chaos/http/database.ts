import { join } from 'node:path'
import { makeFolder } from '../../../bench/measure.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { findRunningServer } from '../../../src/platform/postgres/embedded.ts'
import { emptyTables, isCluster } from '../../harness/database.ts'
import { removeDataFolder } from '../../harness/first-start.ts'
import { embeddedPid } from '../../harness/program.ts'
import { ChaosServer, connect, runStatement } from '../server.ts'

/** The database of a cell: a server that a fault may break, and how processes come to use it. */
export interface CellDatabase<Server> {
  server: Server
  /** Settings of process number `index`. */
  env(index: number): Record<string, string>
  close(): unknown
}

/** What a fault needs that lays hands on connections, locks and rows only. */
export type StatementAccess = Pick<ChaosServer, 'ask' | 'connectClient'>

/** Empties a database that somebody else runs, such as the coordinator of a cluster, for processes to use. */
export async function openExternalDatabase(url: string): Promise<CellDatabase<StatementAccess>> {
  const { path: folder, remove } = makeFolder()
  await migrate(url, { distribute: await isCluster(url) })
  await emptyTables(url)
  return {
    server: { ask: (text) => runStatement(url, text), connectClient: () => connect(url) },
    env: (index) => ({ FERIA_DATA: join(folder, `feria-${index}`), DATABASE_URL: url }),
    close: remove,
  }
}

/** Opens a server beside the processes, which all use it. */
export async function openServerDatabase(folder: string): Promise<CellDatabase<ChaosServer>> {
  const server = await ChaosServer.open(folder)
  return {
    server,
    env: (index) => ({ FERIA_DATA: join(folder, `feria-${index}`), DATABASE_URL: server.url }),
    close: () => server.stop('SIGQUIT'),
  }
}

/** Opens a data folder on which one process runs the embedded server, as `npm start` does. */
export async function openEmbeddedDatabase(
  folder: string,
): Promise<CellDatabase<EmbeddedServerProcess>> {
  const server = new EmbeddedServerProcess(join(folder, 'data'))
  return {
    server,
    env: () => ({ FERIA_DATA: server.folder, FERIA_DEMO: 'on' }),
    close: () => removeDataFolder(server.folder),
  }
}

/** The server that a process of Feria runs on its data folder. */
export class EmbeddedServerProcess {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Of the server that runs now: another one after a restart. */
  get pid(): number {
    const pid = embeddedPid(this.folder)
    if (pid === undefined) throw new Error('the embedded PostgreSQL does not run')
    return pid
  }

  async ask(text: string): Promise<Record<string, string>[]> {
    const url = findRunningServer(this.folder)
    if (url === undefined) throw new Error('the embedded PostgreSQL does not run')
    return runStatement(url, text)
  }
}

/** Kills a backend that serves a process of Feria, after which PostgreSQL ends all others and recovers. */
export async function killBackend(server: Pick<EmbeddedServerProcess, 'ask'>): Promise<void> {
  const [{ pid } = {}] = await server.ask(`select pid from pg_stat_activity
    where application_name = 'feria' and pid <> pg_backend_pid() limit 1`)
  process.kill(Number(pid), 'SIGKILL')
}
