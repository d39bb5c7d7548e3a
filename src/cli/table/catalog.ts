import { toServer } from '../client.ts'
import { type Command, command } from '../frame/command.ts'

const section = 'Catalogue'
const folder = { kind: 'file', as: 'DIR', says: 'The folder.' } as const
const catalog = () => import('../catalog/catalog.ts')

/** Catalogues of the operator's own. */
export const catalogue: readonly Command[] = [
  command({
    name: 'catalog import',
    section,
    summary: 'Bring a catalogue of your own, checked as a whole.',
    details:
      'Every process serves it within moments; what was served before stays as a version. A catalogue with mistakes is not taken, and all of them are told by file and line. docs/catalogue.md tells what is in the files.',
    words: { folder },
    options: {
      format: {
        kind: 'choice',
        of: ['feria', 'taxonomy'],
        says: 'Files of Feria, or those that the open taxonomy publishes.',
      },
      depth: { kind: 'count', to: 10, says: 'Levels of the taxonomy; 3 unless said otherwise.' },
      'dry-run': { kind: 'flag', says: 'Only tell what it would change.' },
      note: { kind: 'text', as: 'TEXT', says: 'What the version is about.' },
      ...toServer,
    },
    examples: ['feria catalog import ./catalogue --dry-run'],
    load: async () => (await catalog()).importCommand,
  }),
  command({
    name: 'catalog export',
    section,
    summary: 'Write the catalogue that is served, or another, into a folder.',
    words: { folder },
    options: {
      version: {
        kind: 'count',
        from: 0,
        to: 999_999_999,
        says: 'Which; the one in force unless said.',
      },
      ...toServer,
    },
    examples: ['feria catalog export ./catalogue'],
    load: async () => (await catalog()).exportCommand,
  }),
  command({
    name: 'catalog versions',
    section,
    summary: 'All catalogues there have been.',
    options: toServer,
    load: async () => (await catalog()).versionsCommand,
  }),
  command({
    name: 'catalog activate',
    section,
    summary: 'Serve one of them; 0 is the one that comes with the program.',
    words: {
      version: {
        kind: 'count',
        as: 'VERSION',
        from: 0,
        to: 999_999_999,
        says: 'As `feria catalog versions` tells it.',
      },
    },
    options: toServer,
    load: async () => (await catalog()).activateCommand,
  }),
  command({
    name: 'catalog rollback',
    section,
    summary: 'Serve the one that was before; again: forth.',
    options: toServer,
    load: async () => (await catalog()).rollbackCommand,
  }),
]
