import { type ApiClient, openClient, type ServerOptions } from '../client/client.ts'
import { CommandFailure, UsageFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { exportCatalog } from './export.ts'
import { importDirectory } from './import.ts'
import { versionLines } from './show.ts'

type ImportCatalogOptions = ServerOptions & {
  folder: string
  format?: 'feria' | 'taxonomy'
  depth?: number
  'dry-run'?: true
  note?: string
}

/** `feria catalog import DIR`. */
export async function importCatalogCommand(
  { folder, format = 'feria', depth, note, ...options }: ImportCatalogOptions,
  out: Output,
): Promise<undefined> {
  if (depth !== undefined && format !== 'taxonomy') {
    throw new UsageFailure('--depth works only with --format taxonomy.')
  }
  const isDry = options['dry-run'] ?? false
  const settings = { folder, format, depth: depth ?? 3, isDry, note, out }
  await importDirectory(openClient(options), settings)
}

/** `feria catalog export DIR [--version N]`. */
export async function exportCommand(
  { folder, version, ...options }: ServerOptions & { folder: string; version?: number },
  out: Output,
): Promise<undefined> {
  await exportCatalog(openClient(options), { folder, version, out })
}

/** `feria catalog versions`. */
export async function versionsCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const versions = await openClient(options).call('GET', '/operator/catalog/versions')
  out.printResult(versions, () => versionLines(versions))
}

/** `feria catalog activate VERSION`. */
export async function activateCommand(
  { version, ...options }: ServerOptions & { version: number },
  out: Output,
): Promise<undefined> {
  await activate(openClient(options), { version, out })
}

/** `feria catalog rollback`: puts the previous version in force. A second run returns to the first. */
export async function rollbackCommand(options: ServerOptions, out: Output): Promise<undefined> {
  const client = openClient(options)
  const { before } = await client.call('GET', '/operator/catalog/versions')
  if (before === null) throw new CommandFailure('There is no version before the one in force.')
  await activate(client, { version: before, out })
}

async function activate(
  client: ApiClient,
  { version, out }: { version: number; out: Output },
): Promise<void> {
  const activation = await client.call('POST', '/operator/catalog/versions/{version}/activate', {
    path: { version },
  })
  const previous = activation.before === null ? '' : ` (before it: ${activation.before})`
  out.printResult(activation, () => `Catalog ${activation.in_force} is in force${previous}.`)
}
