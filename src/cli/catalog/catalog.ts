import type { SiteId } from '../../kernel/sites.ts'
import { type ApiClient, openClient, type ServerOptions } from '../client/client.ts'
import { CommandFailure, UsageFailure } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { exportCatalog } from './export.ts'
import { importAliasFile, importDirectory } from './import.ts'
import { suggestionLines, versionLines } from './show.ts'

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

/** `feria catalog import-aliases FILE`. */
export async function importAliasesCommand(
  { file, note, ...options }: ServerOptions & { file: string; 'dry-run'?: true; note?: string },
  out: Output,
): Promise<undefined> {
  const isDry = options['dry-run'] ?? false
  await importAliasFile(openClient(options), { file, isDry, note, out })
}

type SuggestOptions = ServerOptions & {
  site: SiteId
  limit?: number
  'min-listings'?: number
  'min-percent'?: number
}

/** `feria catalog suggest-aliases SITE`: prints suggestions as lines that `import-aliases` takes. */
export async function suggestAliasesCommand(
  {
    site,
    limit,
    'min-listings': min_listings,
    'min-percent': min_percent,
    ...options
  }: SuggestOptions,
  out: Output,
): Promise<undefined> {
  const answer = await openClient(options).call('GET', '/operator/catalog/alias_suggestions', {
    query: { site_id: site, limit, min_listings, min_percent },
  })
  out.printResult(answer, () => suggestionLines(answer, site))
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
