import { guaranteeSummary, readGuarantees } from './guarantees.ts'
import { guaranteesOf, promisedSections } from './promises.ts'

/**
 * Prints the promises of the contract and the tests that hold them: `npm run contract -- 7.3 4.1`, or all sections
 * without an argument.
 */
const names = process.argv.slice(2)
const guarantees = readGuarantees()
const sections = promisedSections.filter(
  ({ section }) => names.length === 0 || names.includes(section),
)
const unknown = names.filter((name) => !sections.some(({ section }) => section === name))
if (unknown.length > 0) {
  console.error(`The contract has no section ${unknown.join(', ')}.`)
  process.exitCode = 1
}
for (const section of sections) {
  const sectionGuarantees = guaranteesOf(section, guarantees)
  console.log(`\n${section.section}: ${section.title} (${guaranteeSummary(sectionGuarantees)})`)
  for (const promise of section.promises) console.log(`  - ${promise}`)
  for (const [file, members] of Map.groupBy(sectionGuarantees, ({ file }) => file)) {
    console.log(`  ${file}`)
    for (const name of new Set(members.map(({ name }) => name))) console.log(`    ${name}`)
  }
}
