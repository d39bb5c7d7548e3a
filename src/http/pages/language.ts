/** The languages that pages are written in, the usual one first. */
export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** Words in every language. */
export type Translations<Name extends string> = Readonly<
  Record<Language, Readonly<Record<Name, string>>>
>

/** The language that an `Accept-Language` header likes most of those that there are; Spanish where it
 * likes none. `pt-BR` likes Portuguese. */
export function languageOf(header: string | undefined): Language {
  const liked = (header ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((part) => {
      const [tag = '', ...settings] = part.split(';').map((text) => text.trim())
      const q = settings.find((setting) => setting.startsWith('q='))
      return { tag: tag.toLowerCase(), weight: q === undefined ? 1 : Number(q.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { tag } of liked) {
    const found = languages.find((language) => tag === language || tag.startsWith(`${language}-`))
    if (found) return found
  }
  return languages[0]
}
