import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from, to } from 'pg-copy-streams'
import { migrate } from '../src/platform/database/migrate.ts'
import { createDemoData } from '../src/sandbox/demo/demo.ts'
import { demoImportLines } from '../test/harness/import-lines.ts'
import { startDatabase, withClient } from './database.ts'
import { mainFile, makeFolder, median, startServer } from './measure.ts'
import type { Figure } from './run.ts'

const operatorToken = 'the-operator-token-of-the-benchmark'

/**
 * `POST /operator/import` against its floor: the rows that an import left behind, copied as they are
 * into the same tables with the same indexes, by one COPY a table. Both into fresh databases of one
 * server, in turn.
 */
export async function importBenchmark({ short }: { short: boolean }): Promise<Figure[]> {
  const orders = short ? 2_000 : 40_000
  const rounds = short ? 1 : 3
  const folder = makeFolder()
  const server = await startDatabase({ dataDirectory: join(folder.path, 'data') })
  try {
    const lines = join(folder.path, 'lines.ndjson')
    const world = createDemoData({ seed: 7, now: new Date(), orders })
    await pipeline(Readable.from(demoImportLines(world)), createWriteStream(lines))
    const imports: number[] = []
    const copies: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const imported = await freshDatabase(server.url, `imported_${round}`)
      imports.push(orders / (await importLines(imported, lines)))
      const rows = await readBack(imported, folder.path)
      const copied = await freshDatabase(server.url, `copied_${round}`)
      copies.push(orders / (await copyRows(copied, rows)))
      process.stdout.write(
        `round ${round}: import ${Math.round(imports.at(-1) ?? 0)} orders/s, copy ${Math.round(copies.at(-1) ?? 0)} orders/s\n`,
      )
    }
    return [
      { name: 'import.program', value: median(imports), unit: 'orders/s' },
      { name: 'import.copy', value: median(copies), unit: 'orders/s' },
      {
        name: 'import.ratio',
        value: median(imports.map((each, index) => each / (copies[index] as number))),
        unit: 'of a bare COPY',
      },
    ]
  } finally {
    await server.stop()
    folder.remove()
  }
}

async function freshDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await migrate(url.href)
  await withClient(url.href, (client) => client.query('checkpoint'))
  return url.href
}

/** Seconds from the first byte sent to the last line answered. */
async function importLines(url: string, file: string): Promise<number> {
  const program = await startServer([mainFile, 'serve'], {
    DATABASE_URL: url,
    FERIA_MODE: 'sandbox',
    FERIA_DEMO: 'off',
    FERIA_LOG_LEVEL: 'warn',
    FERIA_OPERATOR_TOKEN: operatorToken,
  })
  try {
    const handle = await open(file)
    const began = performance.now()
    const answer = await fetch(`${program.address}/operator/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/x-ndjson',
      },
      body: handle.readableWebStream() as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    const responseLines = (await answer.text()).trim().split('\n')
    const seconds = (performance.now() - began) / 1_000
    await handle.close()
    const end = JSON.parse(responseLines.at(-1) ?? '{}')
    if (end.finished !== true || end.refused > 0 || end.imported === 0) {
      throw new Error(
        `the import ended with ${responseLines.slice(0, 3).join('\n')} … ${responseLines.at(-1)}`,
      )
    }
    return seconds
  } finally {
    await program.stop()
  }
}

interface TableDump {
  table: string
  file: string
}

/** The rows of every table that has any, as COPY writes them, but for the entry of the import in the audit log. */
async function readBack(url: string, folder: string): Promise<TableDump[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      select c.relname as name from pg_class c
      where c.relkind = 'r' and not c.relispartition and c.relname <> 'schema_steps'
        and c.relnamespace = current_schema()::regnamespace order by c.relname`)
    const copied: TableDump[] = []
    for (const { name } of rows) {
      const any = await client.query(`select 1 from ${name} limit 1`)
      if (any.rows.length === 0) continue
      const file = join(folder, `${name}.rows`)
      await pipeline(client.query(to(`copy ${name} to stdout`)), createWriteStream(file))
      copied.push({ table: name, file })
    }
    // What foreign keys point to comes first.
    const isFirst = ({ table }: TableDump) => table === 'orders' || table === 'listings'
    return copied.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
  })
}

/** Seconds that copying takes, table by table over one connection. */
async function copyRows(url: string, rows: readonly TableDump[]): Promise<number> {
  return withClient(url, async (client) => {
    // What migrations put in is among the rows.
    await client.query(`truncate ${rows.map(({ table }) => table).join(', ')} cascade`)
    const began = performance.now()
    for (const { table, file } of rows) {
      const rest = { highWaterMark: 1_048_576 }
      await pipeline(createReadStream(file, rest), client.query(from(`copy ${table} from stdin`)))
    }
    return (performance.now() - began) / 1_000
  })
}
