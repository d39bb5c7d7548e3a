/** Pages that are about to be replaced: their commands are not run. The list is empty once all are rewritten. */
export const pagesBeingReplaced: readonly string[] = [
  'docs/client.md',
  'docs/command-line.md',
  'docs/development.md',
  'docs/errors.md',
  'docs/import.md',
  'docs/performance.md',
  'docs/production.md',
  'docs/reliability.md',
  'docs/sandbox.md',
]
