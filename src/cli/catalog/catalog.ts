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
    throw new UsageFailure('--depth: expected with --format taxonomy only')
  }
  const isDry = options['dry-run'] ?? false
  const asked = { folder, format, depth: depth ?? 3, isDry, note, out }
  await importDirectory(clientOf(options), asked)
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
  const told = await clientOf(options).call('GET', '/operator/catalog/versions')
  out.show(told, () => versionLines(told))
}

/** `feria catalog activate VERSION`. */
export async function activateCommand(
  { version, ...options }: ServerOptions & { version: number },
  out: Output,
): Promise<undefined> {
  await activate(clientOf(options), { version, out })
}

/** `feria catalog rollback`: the version before the one in force; again: forth. */
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
  const told = await client.call('POST', `/operator/catalog/versions/${version}/activate`)
  const way = told.before === null ? '' : ` (before it: ${told.before})`
  out.show(told, () => `Catalogue ${told.in_force} is in force${way}.`)
}
