import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seriousFindings } from './axe.ts'
import type { Look, Looking } from './console.ts'

/** Between them both schemes and both widths. */
const mainLooks: Look[] = [
  { scheme: 'light', width: 1280, language: 'en' },
  { scheme: 'dark', width: 390, language: 'es' },
]
/** With these every scheme meets every width and every language. */
const otherLooks: Look[] = [
  { scheme: 'light', width: 390, language: 'es' },
  { scheme: 'light', width: 390, language: 'pt' },
  { scheme: 'dark', width: 1280, language: 'en' },
  { scheme: 'dark', width: 1280, language: 'pt' },
]

interface Pages {
  who: string
  skip: string | false
  open(look: Look): Promise<Looking>
  paths(): string[]
  /** Pages that are looked at in all six looks. */
  inEveryLook(): string[]
  /** At least so many pages have a title of their own; tabs of one thing share its title. */
  titles: number
}

/** Declares one test per look: each page passes axe, fits its width and is in the reader's language. */
export function testPages({ who, skip, open, paths, inEveryLook, titles }: Pages): void {
  const declare = (look: Look, pathsOfLook: () => string[], minimumTitles = 0) => {
    const { scheme, width, language } = look
    const name = `pages of ${who} are accessible and fit: ${scheme}, ${width} px, ${language}`
    test(name, { skip }, async () => {
      const looking = await open(look)
      const seenTitles = new Set<string>()
      for (const path of pathsOfLook()) {
        await checkPage(looking, { path, look })
        seenTitles.add(await looking.page.title())
      }
      assert.ok(seenTitles.size >= minimumTitles, [...seenTitles].join())
      assert.deepEqual(looking.errors, [])
      await looking.context.close()
    })
  }
  for (const look of mainLooks) declare(look, paths, titles)
  for (const look of otherLooks) declare(look, inEveryLook)
}

async function checkPage(
  { page, go }: Looking,
  { path, look: { width, language } }: { path: string; look: Look },
): Promise<void> {
  await go(path)
  assert.deepEqual(await seriousFindings(page), [], path)
  const isWider = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  assert.equal(isWider, false, `${path} fits into ${width} px`)
  assert.equal(await page.evaluate('document.documentElement.lang'), language)
}
