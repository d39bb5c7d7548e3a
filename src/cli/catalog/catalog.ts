import { type Client, clientOf, type ServerOptions } from '../client.ts'
import { CommandFailure, UsageFailure } from '../failure.ts'
import type { Output } from '../frame/output.ts'
import { exportCatalog } from './export.ts'
import { importDirectory } from './import.ts'
import { versionLines } from './show.ts'

type Import = ServerOptions & {
  folder: string
  format?: 'feria' | 'taxonomy'
  depth?: number
  'dry-run'?: true
  note?: string
}

/** `feria catalog import DIR`. */
export async function importCommand(
  { folder, format = 'feria', depth, note, ...options }: Import,
  out: Output,
): Promise<undefined> {
  if (depth !== undefined && format !== 'taxonomy') {
    throw new UsageFailure('--depth works only with --format taxonomy.')
  }
  const isDry = options['dry-run'] ?? false
  const settings = { folder, format, depth: depth ?? 3, isDry, note, out }
  await importDirectory(clientOf(options), settings)
}

/** `feria catalog export DIR [--version N]`. */
export async function exportCommand(
  { folder, version, ...options }: ServerOptions & { folder: string; version?: number },
  out: Output,
): Promise<undefined> {
  await exportCatalog(clientOf(options), { folder, version, out })
}

/** `feria catalog versions`. */
export async function versionsCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const versions = await clientOf(options).call('GET', '/operator/catalog/versions')
  out.show(versions, () => versionLines(versions))
}

/** `feria catalog activate VERSION`. */
export async function activateCommand(
  { version, ...options }: ServerOptions & { version: number },
  out: Output,
): Promise<undefined> {
  await activate(clientOf(options), { version, out })
}

/** `feria catalog rollback`: puts the previous version in force. A second run returns to the first. */
export async function rollbackCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const client = clientOf(options)
  const { before } = await client.call('GET', '/operator/catalog/versions')
  if (before === null) throw new CommandFailure('There is no version before the one in force.')
  await activate(client, { version: before, out })
}

async function activate(
  client: Client,
  { version, out }: { version: number; out: Output },
): Promise<void> {
  const activation = await client.call('POST', `/operator/catalog/versions/${version}/activate`)
  const previous = activation.before === null ? '' : ` (before it: ${activation.before})`
  out.show(activation, () => `Catalog ${activation.in_force} is in force${previous}.`)
}
