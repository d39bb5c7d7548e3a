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
}

/** Declares one test per look: each page passes axe, fits its width and is in the reader's language. */
export function testPages({ who, skip, open, paths, inEveryLook }: Pages): void {
  const declare = (look: Look, pathsOfLook: () => string[]) => {
    const { scheme, width, language } = look
    const name = `pages of ${who} are accessible and fit: ${scheme}, ${width} px, ${language}`
    test(name, { skip }, async () => {
      const looking = await open(look)
      for (const path of pathsOfLook()) await checkPage(looking, { path, look })
      assert.deepEqual(looking.errors, [])
      await looking.context.close()
    })
  }
  for (const look of mainLooks) declare(look, paths)
  for (const look of otherLooks) declare(look, inEveryLook)

  test(`pages of ${who} have titles of their own`, { skip }, async () => {
    const { page, go, context } = await open({ scheme: 'light', width: 1280, language: 'en' })
    const titles = new Set<string>()
    for (const path of inEveryLook()) {
      await go(path)
      titles.add(await page.title())
    }
    assert.equal(titles.size, inEveryLook().length, [...titles].join())
    await context.close()
  })
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
