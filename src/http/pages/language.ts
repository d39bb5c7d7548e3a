/** The languages of pages. The first is the default. */
const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** Language tags of the texts: the Portuguese is Brazilian. */
export const languageTags: Readonly<Record<Language, string>> = { es: 'es', pt: 'pt-BR', en: 'en' }

/** Texts in every language. */
export type Translations<Name extends string> = Readonly<
  Record<Language, Readonly<Record<Name, string>>>
>

/** Returns the language that an `Accept-Language` header prefers, or Spanish. `pt-BR` counts as Portuguese. */
export function languageOf(header: string | undefined): Language {
  const preferences = (header ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((part) => {
      const [tag = '', ...settings] = part.split(';').map((text) => text.trim())
      const q = settings.find((setting) => setting.startsWith('q='))
      return { tag: tag.toLowerCase(), weight: q === undefined ? 1 : Number(q.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { tag } of preferences) {
    const match = languages.find((language) => tag === language || tag.startsWith(`${language}-`))
    if (match) return match
  }
  return languages[0]
}
