import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { Lifecycle } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import { startEmbedded } from '../../platform/postgres/embedded.ts'
import { shellWord } from '../../platform/postgres/failure.ts'

export interface OpenDatabaseOptions {
  config: Config
  log: Log
  /** Prints a step for the user. */
  say: (step: string) => void
}

/** Returns the URL of the database of the settings. Without one, starts the embedded server, which stops last. */
export async function openDatabase(
  { config, log, say }: OpenDatabaseOptions,
  lifecycle: Lifecycle,
): Promise<string> {
  if (config.database.url) return config.database.url
  const server = await startEmbedded({
    dataDirectory: config.dataDirectory,
    say,
    onRestart: ({ pauseMs, lastLines }) =>
      log.error(
        { pause_ms: pauseMs, last_lines: lastLines },
        'the embedded database ended on its own; starting it again',
      ),
  })
  lifecycle.add('embedded database', () => server.stop())
  void server.ended.then(({ expected }) => {
    if (expected) return
    const path = join(config.dataDirectory, 'postgres.log')
    process.stderr.write(
      `The embedded database ends again and again, so Feria stops. See its log: tail ${shellWord(path)}\n`,
    )
    void lifecycle.close().then(() => process.exit(1))
  })
  return server.url
}

/** Does the same as `openDatabase`, and migrates the database. */
export async function openMigrated(
  tools: OpenDatabaseOptions,
  lifecycle: Lifecycle,
): Promise<string> {
  const url = await openDatabase(tools, lifecycle)
  await migrate(url, { say: tools.say })
  return url
}
