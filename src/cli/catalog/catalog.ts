import { type Client, clientOf, inWords, serverOptions } from '../client.ts'
import { say } from '../database.ts'
import { readCount, readWords, UsageFailure } from '../usage.ts'
import { exportCatalog } from './export.ts'
import { importDirectory } from './import.ts'
import { showVersions } from './show.ts'

const usage = `Run: feria catalog import DIR [--format feria|taxonomy] [--depth N] [--dry-run] [--note TEXT]
     feria catalog export DIR [--version N]
     feria catalog versions
     feria catalog activate VERSION
     feria catalog rollback`

const formats = ['feria', 'taxonomy'] as const
const options = {
  ...serverOptions,
  format: 'text',
  depth: 'text',
  'dry-run': 'flag',
  note: 'text',
  version: 'text',
  json: 'flag',
} as const

type Options = ReturnType<typeof readWords<typeof options>>['options']

interface Called {
  client: Client
  /** What the command is about: a folder, a version. */
  about: string
  options: Options
}

/** What each command takes beside the server's options. */
const commands: Record<
  string,
  { about: 0 | 1; takes: readonly (keyof Options)[]; run: (called: Called) => Promise<void> }
> = {
  import: { about: 1, takes: ['format', 'depth', 'dry-run', 'note', 'json'], run: runImport },
  export: { about: 1, takes: ['version', 'json'], run: runExport },
  versions: { about: 0, takes: ['json'], run: runVersions },
  activate: { about: 1, takes: ['json'], run: runActivate },
  rollback: { about: 0, takes: ['json'], run: runRollback },
}

/** `feria catalog`: the operator's own catalogues, through the interface of a running Feria. */
export async function catalogCommand(args: string[]): Promise<void> {
  const { words, options: given } = readWords(args, options)
  const [name = '', about = '', ...more] = words
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || more.length > 0 || (command.about === 1) !== (about !== '')) {
    throw new UsageFailure(usage)
  }
  const usual = ['server', 'token']
  const odd = Object.keys(given).find(
    (each) => !usual.includes(each) && !command.takes.includes(each as keyof Options),
  )
  if (odd) throw new UsageFailure(`feria catalog ${name} does not take --${odd}.\n${usage}`)
  const client = clientOf(given)
  await inWords(client, () => command.run({ client, about, options: given }))
}

async function runImport({ client, about, options }: Called): Promise<void> {
  const format = formats.find((each) => each === (options.format ?? 'feria'))
  if (!format) {
    throw new UsageFailure(
      `--format: expected one of ${formats.join(', ')}, got "${options.format}"`,
    )
  }
  if (options.depth !== undefined && format !== 'taxonomy') {
    throw new UsageFailure('--depth: expected with --format taxonomy only')
  }
  await importDirectory(client, {
    folder: about,
    format,
    depth: readCount('depth', options.depth, 10) ?? 3,
    isDry: options['dry-run'] ?? false,
    note: options.note,
    isJson: options.json ?? false,
  })
}

async function runExport({ client, about, options }: Called): Promise<void> {
  const version = options.version === undefined ? undefined : readVersion(options.version)
  await exportCatalog(client, { folder: about, version, isJson: options.json ?? false })
}

async function runVersions({ client, options }: Called): Promise<void> {
  const told = await client.call('GET', '/operator/catalog/versions')
  if (options.json) say(JSON.stringify(told))
  else showVersions(told, say)
}

async function runActivate({ client, about, options }: Called): Promise<void> {
  await activate(client, { version: readVersion(about), isJson: options.json ?? false })
}

async function runRollback({ client, options }: Called): Promise<void> {
  const { before } = await client.call('GET', '/operator/catalog/versions')
  if (before === null) throw new UsageFailure('There is no version before the one in force.')
  await activate(client, { version: before, isJson: options.json ?? false })
}

async function activate(
  client: Client,
  { version, isJson }: { version: number; isJson: boolean },
): Promise<void> {
  const told = await client.call('POST', `/operator/catalog/versions/${version}/activate`)
  if (isJson) return say(JSON.stringify(told))
  const way = told.before === null ? '' : ` (before it: ${told.before})`
  say(`Catalogue ${told.in_force} is in force${way}.`)
}

function readVersion(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageFailure(
    `version: expected a number as \`feria catalog versions\` tells it, got "${text}"`,
  )
}
