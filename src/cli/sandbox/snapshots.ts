import { clientOf, type Json, type ServerOptions } from '../client.ts'
import { columns, type Output } from '../frame/output.ts'

const path = '/operator/sandbox/snapshots'

type Named = ServerOptions & { name: string }

/** `feria snapshot save NAME`. */
export async function saveSnapshot({ name, ...options }: Named, out: Output): Promise<undefined> {
  const saved = await clientOf(options).call('PUT', `${path}/${encodeURIComponent(name)}`)
  out.show(saved, () => `${name} is saved: ${sizeOf(saved)}, ${saved.ms} ms`)
}

/** `feria snapshot load NAME`. */
export async function loadSnapshot({ name, ...options }: Named, out: Output): Promise<undefined> {
  const url = `${path}/${encodeURIComponent(name)}/load`
  const loaded = await clientOf(options).call('POST', url)
  out.show(
    loaded,
    () =>
      `${name} is loaded: ${sizeOf(loaded)}, ${loaded.loaded_in_ms} ms. The time of the sandbox is ${loaded.world_time}.`,
  )
}

/** `feria snapshot list`. */
export async function listSnapshots(options: ServerOptions, out: Output): Promise<undefined> {
  const { snapshots } = await clientOf(options).call('GET', path)
  out.show(snapshots, () =>
    snapshots.length === 0
      ? 'There are no snapshots. Save one: feria snapshot save NAME'
      : columns([
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
export async function deleteSnapshot({ name, ...options }: Named, out: Output): Promise<undefined> {
  await clientOf(options).call('DELETE', `${path}/${encodeURIComponent(name)}`)
  out.show({ name, deleted: true }, () => `${name} is deleted`)
}

function sizeOf({ tables, rows, files, bytes }: Json): string {
  return `${tables} tables, ${rows} rows, ${files} files, ${megabytes(bytes)}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
