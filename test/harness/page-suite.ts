import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { seriousViolations } from './axe.ts'
import type { ConsoleTab, Viewport } from './console.ts'

const pageMeasures = readFileSync(new URL('page-measures.js', import.meta.url), 'utf8')

/** Returns what a reader sees as broken on a wide page: what is cut off, broken in the middle or touches. */
function layoutDefects(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`${pageMeasures}; layoutDefects()`)
}

/** Returns the lowest contrast of each kind of control on the page with what lies behind it. */
export function controlContrasts(page: Page): Promise<Record<string, number>> {
  return page.evaluate<Record<string, number>>(`${pageMeasures}; controlContrasts()`)
}

/** Between them both schemes and both widths. */
const mainViewports: Viewport[] = [
  { scheme: 'light', width: 1280, language: 'en' },
  { scheme: 'dark', width: 390, language: 'es' },
]
/** With these every scheme meets every width and every language. */
const otherViewports: Viewport[] = [
  { scheme: 'light', width: 390, language: 'es' },
  { scheme: 'light', width: 390, language: 'pt' },
  { scheme: 'light', width: 1280, language: 'es' },
  { scheme: 'dark', width: 1280, language: 'en' },
  { scheme: 'dark', width: 1280, language: 'pt' },
]

interface PageSuite {
  audience: string
  skip: string | false
  open(look: Viewport): Promise<ConsoleTab>
  paths(): string[]
  /** Pages that are checked in every viewport. */
  inEveryViewport(): string[]
  /** At least so many pages have a title of their own; tabs of one thing share its title. */
  minimumTitles: number
}

/** Declares one test per look: each page passes axe, fits its width and is in the reader's language. */
export function testPages({
  audience,
  skip,
  open,
  paths,
  inEveryViewport,
  minimumTitles: titles,
}: PageSuite): void {
  const declare = (look: Viewport, pathsOfLook: () => string[], minimumTitles = 0) => {
    const { scheme, width, language } = look
    const name = `pages of ${audience} are accessible and fit: ${scheme}, ${width} px, ${language}`
    test(name, { skip }, async () => {
      const tab = await open(look)
      const seenTitles = new Set<string>()
      for (const path of pathsOfLook()) {
        await checkPage(tab, { path, look })
        seenTitles.add(await tab.page.title())
      }
      assert.ok(seenTitles.size >= minimumTitles, [...seenTitles].join())
      assert.deepEqual(tab.pageErrors, [])
      await tab.context.close()
    })
  }
  for (const look of mainViewports) declare(look, paths, titles)
  for (const look of otherViewports) declare(look, inEveryViewport)
}

async function checkPage(
  { page, goTo }: ConsoleTab,
  { path, look: { width, language } }: { path: string; look: Viewport },
): Promise<void> {
  await goTo(path)
  assert.deepEqual(await seriousViolations(page), [], path)
  const isWider = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  assert.equal(isWider, false, `${path} fits into ${width} px`)
  if (width === 1280) assert.deepEqual(await layoutDefects(page), [], path)
  const tag = language === 'pt' ? 'pt-BR' : language
  assert.equal(await page.evaluate('document.documentElement.lang'), tag)
}
