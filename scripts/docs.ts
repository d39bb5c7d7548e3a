import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pageOf } from '../src/cli/frame/reference-page.ts'
import { table } from '../src/cli/table/table.ts'
import { coveragePage } from '../test/contract/coverage.ts'
import { readGuarantees } from '../test/contract/guarantees.ts'
import { promisedSections } from '../test/contract/promises.ts'
import { configurationPage } from './docs/configuration.ts'
import { errorsPage } from './docs/errors.ts'
import { deadLinks } from './docs/links.ts'
import { llmsIndex } from './docs/llms.ts'
import { openApiFile, readOpenApiDocument } from './docs/openapi.ts'
import { personalDataPage } from './docs/personal-data.ts'
import { postmanCollection } from './docs/postman.ts'

/**
 * Writes the generated files of the documentation: `npm run docs`. With `--check` it writes nothing, names the files
 * that are not current and the dead links of all Markdown files, and exits with 1 if there are any.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const isCheck = process.argv.includes('--check')
const document = await readOpenApiDocument()

const note = '<!-- Written by `npm run docs`. Do not edit. -->\n\n'
const generated: readonly [file: string, render: () => string][] = [
  ['docs/errors.md', errorsPage],
  ['docs/configuration.md', configurationPage],
  ['docs/command-line.md', () => pageOf(table)],
  ['docs/personal-data.md', personalDataPage],
  ['docs/contract.md', () => coveragePage(promisedSections, readGuarantees())],
  ['docs/openapi.json', () => openApiFile(document)],
  [
    'docs/feria.postman_collection.json',
    () => `${JSON.stringify(postmanCollection(document), null, 1)}\n`,
  ],
  // Reads the pages above.
  ['llms.txt', () => llmsIndex(root)],
]

const problems: string[] = []
for (const [file, render] of generated) {
  const path = join(root, file)
  const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const text = file.endsWith('.md') ? `${note}${render()}` : render()
  if (current === text) continue
  if (isCheck) problems.push(`${file} is not current. Run: npm run docs`)
  else {
    writeFileSync(path, text)
    console.log(`${file} written`)
  }
}
problems.push(...deadLinks(root).map((link) => `dead link: ${link}`))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
