import { siteIds } from '../../kernel/sites.ts'
import { operatorServerOptions } from '../client/client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Catalog'
const folder = {
  kind: 'file',
  as: 'DIR',
  says: 'The folder with the files of the catalog.',
} as const
const site = { kind: 'choice', of: siteIds, as: 'SITE' } as const
const words = { kind: 'text', as: 'WORDS' } as const
const catalog = () => import('../catalog/catalog.ts')
const synonyms = () => import('../operator/synonyms.ts')

/** Commands for the operator's own catalogs. */
export const catalogCommands: readonly Command[] = [
  command({
    name: 'catalog import',
    section,
    summary: 'Import your own catalog, checked as a whole.',
    details:
      'Every process serves it within moments, and the catalog before it stays as a version. A catalog with mistakes is refused, and each mistake is listed with its file and line. docs/catalog-import.md describes the files.',
    words: { folder },
    options: {
      format: {
        kind: 'choice',
        of: ['feria', 'taxonomy'],
        says: 'The format of Feria, or the files that the open taxonomy publishes. Default: feria.',
      },
      depth: { kind: 'count', to: 10, says: 'Levels of the taxonomy. Default: 3.' },
      'dry-run': { kind: 'flag', says: 'Print what would change, and change nothing.' },
      note: { kind: 'text', as: 'TEXT', says: 'A note that is kept with the version.' },
      ...operatorServerOptions,
    },
    examples: ['feria catalog import ./catalog --dry-run'],
    load: async () => (await catalog()).importCatalogCommand,
  }),
  command({
    name: 'catalog import-aliases',
    section,
    summary: 'Add aliases of categories from a file, checked as a whole.',
    details:
      'A line has a category (id, number or key), its sites and an alias, with tabs between them. The catalog with them becomes a version. docs/catalog-import.md describes the file.',
    words: { file: { kind: 'file', says: 'The file of aliases.' } },
    options: {
      'dry-run': { kind: 'flag', says: 'Print what would change, and change nothing.' },
      note: { kind: 'text', as: 'TEXT', says: 'A note that is kept with the version.' },
      ...operatorServerOptions,
    },
    examples: ['feria catalog import-aliases ./aliases.tsv --dry-run'],
    load: async () => (await catalog()).importAliasesCommand,
  }),
  command({
    name: 'catalog suggest-aliases',
    section,
    summary: 'Print words that name a category by its listings only.',
    details:
      'The lines are those of a file of aliases, the most useful first. Keep the right ones and import the file. Further columns are the listings with the words, their share and the name of the category.',
    words: {
      site: { kind: 'choice', of: siteIds, as: 'SITE', says: 'The site that has learned.' },
    },
    options: {
      limit: { kind: 'count', to: 1_000, says: 'Most suggestions. Default: 100.' },
      'min-listings': {
        kind: 'count',
        to: 1_000_000,
        says: 'Fewest listings of the category with the words. Default: 5.',
      },
      'min-percent': {
        kind: 'count',
        from: 10,
        to: 100,
        says: 'Least share of the category among listings with the words. Default: 70.',
      },
      ...operatorServerOptions,
    },
    examples: ['feria catalog suggest-aliases MLA > aliases.tsv'],
    load: async () => (await catalog()).suggestAliasesCommand,
  }),
  command({
    name: 'catalog export',
    section,
    summary: 'Write the served catalog, or another version, to a folder.',
    words: { folder },
    options: {
      version: {
        kind: 'count',
        from: 0,
        to: 999_999_999,
        says: 'The version. Default: the one in force.',
      },
      ...operatorServerOptions,
    },
    examples: ['feria catalog export ./catalog'],
    load: async () => (await catalog()).exportCommand,
  }),
  command({
    name: 'catalog versions',
    section,
    summary: 'List all versions of the catalog.',
    options: operatorServerOptions,
    load: async () => (await catalog()).versionsCommand,
  }),
  command({
    name: 'catalog activate',
    section,
    summary: 'Serve another version. 0 is the one that comes with Feria.',
    words: {
      version: {
        kind: 'count',
        as: 'VERSION',
        from: 0,
        to: 999_999_999,
        says: 'A version that `feria catalog versions` lists.',
      },
    },
    options: operatorServerOptions,
    load: async () => (await catalog()).activateCommand,
  }),
  command({
    name: 'catalog rollback',
    section,
    summary: 'Serve the version before. Run it again to go forth.',
    options: operatorServerOptions,
    load: async () => (await catalog()).rollbackCommand,
  }),
  command({
    name: 'synonyms lookup',
    section,
    summary: 'Show the synonyms that the listing search of a site uses.',
    words: {
      site: { ...site, says: 'The site.' },
      query: { kind: 'text', as: 'QUERY', says: 'The words, as somebody searches for them.' },
    },
    options: operatorServerOptions,
    examples: ['feria synonyms lookup MLA "heladera no frost"'],
    load: async () => (await synonyms()).lookUpCommand,
  }),
  command({
    name: 'synonyms list',
    section,
    summary: 'List your changes to the synonyms of a site.',
    words: { site: { ...site, says: 'The site.' } },
    options: operatorServerOptions,
    examples: ['feria synonyms list MLA'],
    load: async () => (await synonyms()).listCommand,
  }),
  command({
    name: 'synonyms add',
    section,
    summary: 'Let a search for one of several words find all of them.',
    details:
      'Words and phrases are separated by commas. They must be interchangeable: a kind and its superior are not.',
    words: { site: { ...site, says: 'The site.' }, words: { ...words, says: '2 to 20 words.' } },
    options: { note: { kind: 'text', as: 'TEXT', says: 'Your remark.' }, ...operatorServerOptions },
    examples: ['feria synonyms add MLA "heladera, nevera, refrigerador"'],
    load: async () => (await synonyms()).addCommand,
  }),
  command({
    name: 'synonyms remove',
    section,
    summary: 'Take two words apart that are synonyms.',
    details: 'It also holds against groups that you add later. `synonyms delete` takes it back.',
    words: { site: { ...site, says: 'The site.' }, words: { ...words, says: 'The two words.' } },
    options: { note: { kind: 'text', as: 'TEXT', says: 'Your remark.' }, ...operatorServerOptions },
    examples: ['feria synonyms remove MLA "pava, tetera"'],
    load: async () => (await synonyms()).removeCommand,
  }),
  command({
    name: 'synonyms delete',
    section,
    summary: 'Take back a change of yours.',
    words: { id: { kind: 'text', as: 'ID', says: 'The id that `feria synonyms list` shows.' } },
    options: operatorServerOptions,
    examples: ['feria synonyms delete 6f1d2a90c4b7e835'],
    load: async () => (await synonyms()).deleteCommand,
  }),
]
