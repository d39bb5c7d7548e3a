import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Section {
  title: string
  files: readonly string[]
}

const head = `# Feria

> An open marketplace backend over HTTP and PostgreSQL: orders, messages after the sale, change notifications and a category catalog. It runs as a server for operators, and as a sandbox on a laptop for integrators.

A running server describes itself: \`/openapi.json\` has every operation, and \`/docs\` shows it. \`npm ci && npm start\` starts a sandbox with demo data. The operator token of a local sandbox is \`feria-sandbox-operator\`.`

const reference = [
  'docs/errors.md',
  'docs/configuration.md',
  'docs/command-line.md',
  'docs/glossary.md',
]
const aboutTheCode = ['ARCHITECTURE.md', 'docs/development.md', 'docs/contract.md']
const optional = ['CHANGELOG.md', 'docs/performance.md', 'docs/reliability.md']

const files = `- [OpenAPI document](docs/openapi.json): Every operation of the HTTP interface, with examples.
- [Postman collection](docs/feria.postman_collection.json): A request for each operation, with variables for the address and the tokens.`

/** Returns llms.txt (llmstxt.org): an index of the documentation, made from the title and the first sentence of each
 * page. */
export function llmsIndex(root: string): string {
  const named = new Set([...reference, ...aboutTheCode, ...optional])
  const find = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !named.has(file))
      .sort()
  const sections: Section[] = [
    { title: 'Guides', files: ['README.md', ...find('docs/*.md')] },
    { title: 'HTTP interface', files: find('docs/api/**/*.md') },
    { title: 'Reference', files: reference },
    { title: 'Code', files: aboutTheCode },
    { title: 'Optional', files: [...optional, ...find('docs/decisions/*.md')] },
  ]
  const parts = sections
    .filter((section) => section.files.length > 0)
    .map(({ title, files: members }) => {
      const lines = members.map((file) => entryOf(file, readFileSync(join(root, file), 'utf8')))
      return `## ${title}\n\n${[...lines, ...(title === 'Reference' ? [files] : [])].join('\n')}`
    })
  return `${[head, ...parts].join('\n\n')}\n`
}

/** Returns the line of a page. The pages of decisions and of a table begin with no sentence: they have their title. */
export function entryOf(file: string, page: string): string {
  const title = /^# (.+)$/m.exec(page)?.[1] ?? file
  const paragraphs = page.split(/\n{2,}/).slice(1)
  const first = paragraphs.find((text) => /^[A-Z*`[]/.test(text)) ?? ''
  const plain = first.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ')
  const sentence = /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? ''
  const isDecision = /^docs\/decisions\//.test(file)
  return `- [${title}](${file})${sentence && !isDecision ? `: ${sentence}` : ''}`
}
