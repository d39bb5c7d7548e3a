import { readFileSync, writeFileSync } from 'node:fs'
import { guaranteeSummary, pagePath, promisesOf, readGuarantees, renderPage } from './page.ts'

/** Writes the lists of guarantees in docs/contract.md: `npm run contract`. */
const guarantees = readGuarantees()
const page = renderPage(readFileSync(pagePath, 'utf8'), guarantees)
writeFileSync(pagePath, page)
console.log(
  `docs/contract.md: ${promisesOf(page).length} promises, ${guaranteeSummary(guarantees)}`,
)
