import type { GuideOption } from '../../kernel/guide-options.ts'
import { type SiteId, sites } from '../../kernel/sites.ts'
import { optionRuleOf } from '../option-rules.ts'
import type { ConversationSale } from '../sale.ts'
import { dateText, localDay, promisedDay } from './delivery-promise.ts'
import { promisedDayTexts, templateTexts } from './template-texts.ts'

export interface MessageTemplate {
  id: string
  text: string
}

/** Returns the templates of an option on a site. A free-text option has none. */
export function templatesOf(option: GuideOption, siteId: SiteId): MessageTemplate[] {
  const text = textsOf(option)[siteId]
  return text === undefined ? [] : [{ id: `TEMPLATE___${option}___1`, text }]
}

function textsOf(option: GuideOption): Readonly<Partial<Record<SiteId, string>>> {
  return (
    (templateTexts as Partial<Record<GuideOption, Partial<Record<SiteId, string>>>>)[option] ?? {}
  )
}

/** Returns the ids of the variables that hold the hours of a promise. */
export function hourVariableIds(templateId: string): { initial: string; final: string } {
  return { initial: `${templateId}___VAR___INIT`, final: `${templateId}___VAR___LIMIT` }
}

/** Returns a template as the list of options shows it. One with variables also has its texts on all sites. */
export function templateView({ id }: MessageTemplate, option: GuideOption): object {
  if (!optionRuleOf(option).vars) return { id, vars: null }
  const texts = Object.entries(textsOf(option)).map(([site, html]) => [
    site.toLowerCase(),
    { html },
  ])
  const { initial, final } = hourVariableIds(id)
  return {
    id,
    texts: Object.fromEntries(texts),
    vars: [
      { id: initial, type: 'NUMBER' },
      { id: final, type: 'NUMBER' },
    ],
  }
}

/** Returns the promised delivery day as words in the language of the site. Null without a promised date, undefined
 * when that day is over. */
export function promisedDayText(
  { siteId, shipment }: Pick<ConversationSale, 'siteId' | 'shipment'>,
  now: Date,
): string | null | undefined {
  const { timeZone, language } = sites[siteId]
  const promisedAt = shipment?.promisedAt ?? null
  if (!promisedAt) return null
  const day = localDay(promisedAt, timeZone)
  const promised = promisedDay(day, localDay(now, timeZone))
  return (
    promised &&
    fillTemplate(promisedDayTexts[language][promised], { date: dateText(day, language) })
  )
}

/** Replaces `{name}` in a text. Placeholders without a value stay. */
export function fillTemplate(
  text: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder))
}
