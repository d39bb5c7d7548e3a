import { type Json, openClient, type ServerOptions } from '../client/client.ts'
import { alignColumns, type Output } from '../frame/output.ts'

const path = '/operator/sandbox/snapshots'

type SnapshotOptions = ServerOptions & { name: string }

/** `feria snapshot save NAME`. */
export async function saveSnapshotCommand(
  { name, ...options }: SnapshotOptions,
  out: Output,
): Promise<undefined> {
  const saved = await openClient(options).call('PUT', `${path}/${encodeURIComponent(name)}`)
  out.printResult(saved, () => `${name} is saved: ${sizeOf(saved)}, ${saved.ms} ms`)
}

/** `feria snapshot load NAME`. */
export async function loadSnapshotCommand(
  { name, ...options }: SnapshotOptions,
  out: Output,
): Promise<undefined> {
  const url = `${path}/${encodeURIComponent(name)}/load`
  const loaded = await openClient(options).call('POST', url)
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
          ...snapshots.map((snapshot: Json) => [
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
  await openClient(options).call('DELETE', `${path}/${encodeURIComponent(name)}`)
  out.printResult({ name, deleted: true }, () => `${name} is deleted`)
}

function sizeOf({ tables, rows, files, bytes }: Json): string {
  return `${tables} tables, ${rows} rows, ${files} files, ${megabytes(bytes)}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
