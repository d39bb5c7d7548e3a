import { tableOf } from '../../scripts/docs/markdown.ts'
import { type Guarantee, guaranteeSummary } from './guarantees.ts'
import { guaranteesOf, type PromisedSection } from './promises.ts'

const head = `# Contract coverage

Feria implements the contract of an existing marketplace interface. Its promises, in our own words, are in [promises.json](../test/contract/promises.json), by section of the contract. A *guarantee* is a test that holds a section: \`contract('7.3', 'name', fn)\` instead of \`test('name', fn)\`.

The table counts both for each section, and names the test files. A path leaves out \`src/\` and \`.test.ts\`. \`npm run contract -- 7.3\` prints the promises of a section and the guarantees that hold it.

[contract.test.ts](../test/contract.test.ts) fails if a section or a promise has no guarantee in the fast tests. It also fails if an operation, a topic or an order status has no promise.`

const silentHead = `## Where the contract is silent

The contract leaves these subjects open. Each promise names the section that it completes.`

/** Returns docs/contract.md. */
export function coveragePage(
  sections: readonly PromisedSection[],
  guarantees: readonly Guarantee[],
): string {
  const isNumbered = ({ section }: PromisedSection) => /^\d/.test(section)
  const promises = sections.reduce((sum, each) => sum + each.promises.length, 0)
  return `${[
    head,
    `In all: ${promises} promises and ${guaranteeSummary(guarantees)}.`,
    '## Sections of the contract',
    coverageTable(sections.filter(isNumbered), guarantees),
    silentHead,
    coverageTable(
      sections.filter((section) => !isNumbered(section)),
      guarantees,
    ),
  ].join('\n\n')}\n`
}

function coverageTable(
  sections: readonly PromisedSection[],
  guarantees: readonly Guarantee[],
): string {
  return tableOf(
    ['Section', 'Promises', 'Guarantees', 'Test files'],
    sections.map((section) => {
      const sectionGuarantees = guaranteesOf(section, guarantees)
      const number = /^\d/.test(section.section) ? `${section.section} ` : ''
      return [
        `${number}${section.title}`,
        String(section.promises.length),
        String(sectionGuarantees.length),
        filesOf(sectionGuarantees),
      ]
    }),
  )
}

/** Lists test files by module: `orders/`: `formats`, `search/routes`. */
function filesOf(guarantees: readonly Guarantee[]): string {
  const files = [...new Set(guarantees.map(({ file }) => file))]
  const names = files.map((file) => file.replace(/^src\//, '').replace(/\.test\.ts$/, ''))
  return [...Map.groupBy(names, (name) => name.split('/')[0] ?? '')]
    .map(([module, members]) => {
      const rest = members.map((name) => name.slice(module.length + 1))
      return `\`${module}/\` ${rest.join(', ')}`
    })
    .join('; ')
}
