import { join } from 'node:path'
import type { Config } from '../platform/config.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Lifecycle } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { startEmbedded } from '../platform/postgres/embedded.ts'
import { shellWord } from '../platform/postgres/failure.ts'

export interface Tools {
  config: Config
  log: Log
  /** Tells the person at the keyboard what is going on. */
  say: (step: string) => void
}

/**
 * The address of a database that is there: the one of the settings, or Feria's own, which is started
 * here and stopped last.
 */
export async function openDatabase(
  { config, log, say }: Tools,
  lifecycle: Lifecycle,
): Promise<string> {
  if (config.database.url) return config.database.url
  const server = await startEmbedded({
    dataDirectory: config.dataDirectory,
    say,
    onRestart: ({ pauseMs, lastLines }) =>
      log.error(
        { pause_ms: pauseMs, last_lines: lastLines },
        'the embedded database has ended on its own; starting it again',
      ),
  })
  lifecycle.add('embedded database', () => server.stop())
  void server.ended.then(({ expected }) => {
    if (expected) return
    const path = join(config.dataDirectory, 'postgres.log')
    process.stderr.write(
      `The embedded database ends again and again, so Feria stops. Its log tells why: tail ${shellWord(path)}\n`,
    )
    void lifecycle.close().then(() => process.exit(1))
  })
  return server.url
}

export async function openMigrated(tools: Tools, lifecycle: Lifecycle): Promise<string> {
  const url = await openDatabase(tools, lifecycle)
  await migrate(url, { say: tools.say })
  return url
}
