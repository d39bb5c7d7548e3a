import type { GuideOption } from '../../kernel/guide-options.ts'
import { type SiteId, sites } from '../../kernel/sites.ts'
import type { Sale } from '../sale.ts'
import { ruleOf } from './matrix.ts'
import { dateText, localDay, promisedDay } from './promise.ts'
import { dayWords, templateTexts } from './texts.ts'

export interface Template {
  id: string
  text: string
}

/** The templates of an option on a site; none where its words are the seller's. */
export function templatesOf(option: GuideOption, siteId: SiteId): Template[] {
  const text = textsOf(option)[siteId]
  return text === undefined ? [] : [{ id: `TEMPLATE___${option}___1`, text }]
}

function textsOf(option: GuideOption): Readonly<Partial<Record<SiteId, string>>> {
  return (
    (templateTexts as Partial<Record<GuideOption, Partial<Record<SiteId, string>>>>)[option] ?? {}
  )
}

/** The ids under which the seller names the hours of a promise. */
export function hourIds(templateId: string): { initial: string; final: string } {
  return { initial: `${templateId}___VAR___INIT`, final: `${templateId}___VAR___LIMIT` }
}

/** A template as the listing shows it (contract 2.9). What is to be filled in shows its words too, on
 * all sites, as recorded. */
export function templateView({ id }: Template, option: GuideOption): object {
  if (!ruleOf(option).vars) return { id, vars: null }
  const texts = Object.entries(textsOf(option)).map(([site, html]) => [
    site.toLowerCase(),
    { html },
  ])
  const { initial, final } = hourIds(id)
  return {
    id,
    texts: Object.fromEntries(texts),
    vars: [
      { id: initial, type: 'NUMBER' },
      { id: final, type: 'NUMBER' },
    ],
  }
}

/** When a sale is delivered, in words of its site; null when no day is known, undefined when that day
 * is over. */
export function promiseWords(
  { siteId, shipment }: Pick<Sale, 'siteId' | 'shipment'>,
  now: Date,
): string | null | undefined {
  const { timeZone, language } = sites[siteId]
  const promisedAt = shipment?.promisedAt ?? null
  if (!promisedAt) return null
  const day = localDay(promisedAt, timeZone)
  const name = promisedDay(day, localDay(now, timeZone))
  return name && filled(dayWords[language][name], { date: dateText(day, language) })
}

/** A text with its placeholders filled. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}
