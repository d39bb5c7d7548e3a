import { openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const path = '/operator/sandbox/snapshots'

type SnapshotOptions = ServerOptions & { name: string }

/** `feria snapshot save NAME`. */
export async function saveSnapshotCommand(
  { name, ...options }: SnapshotOptions,
  out: Output,
): Promise<undefined> {
  const saved = await openClient(options).call('PUT', `${path}/{name}`, { path: { name } })
  out.printResult(saved, () => `${name} is saved: ${sizeOf(saved)}, ${saved.ms} ms`)
}

/** `feria snapshot load NAME`. */
export async function loadSnapshotCommand(
  { name, ...options }: SnapshotOptions,
  out: Output,
): Promise<undefined> {
  const loaded = await openClient(options).call('POST', `${path}/{name}/load`, { path: { name } })
  out.printResult(
    loaded,
    () =>
      `${name} is loaded: ${sizeOf(loaded)}, ${loaded.loaded_in_ms} ms. The time of the sandbox is ${loaded.world_time}.`,
  )
}

/** `feria snapshot list`. */
export async function listSnapshotsCommand(
  options: ServerOptions,
  out: Output,
): Promise<undefined> {
  const { snapshots } = await openClient(options).call('GET', path)
  out.printResult(snapshots, () =>
    snapshots.length === 0
      ? 'There are no snapshots. Save one: feria snapshot save NAME'
      : alignColumns([
          ['NAME', 'SANDBOX TIME', 'ROWS', 'FILES', 'SIZE', 'SCHEMA'],
          ...snapshots.map((snapshot) => [
            snapshot.name,
            snapshot.world_time,
            String(snapshot.rows),
            String(snapshot.files),
            megabytes(snapshot.bytes),
            String(snapshot.schema_step),
          ]),
        ]),
  )
}

/** `feria snapshot delete NAME`. */
export async function deleteSnapshotCommand(
  { name, ...options }: SnapshotOptions,
  out: Output,
): Promise<undefined> {
  await openClient(options).call('DELETE', `${path}/{name}`, { path: { name } })
  out.printResult({ name, deleted: true }, () => `${name} is deleted`)
}

interface SnapshotSize {
  tables: number
  rows: number
  files: number
  bytes: number
}

function sizeOf({ tables, rows, files, bytes }: SnapshotSize): string {
  return `${tables} tables, ${rows} rows, ${files} files, ${megabytes(bytes)}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
