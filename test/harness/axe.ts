import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

interface AxeViolation {
  id: string
  impact: string | null
  nodes: { html: string; failureSummary?: string }[]
}

/** What axe finds serious or critical on a page, by the rules of WCAG 2.2 A and AA. It is evaluated, not
 * loaded, so the page's policy stays in force. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  await page.evaluate(axeSource)
  const violations = (await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(tags)}, resultTypes: ['violations'] })
      .then(({ violations }) => violations)`,
  )) as AxeViolation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}
