import { type Language, useLanguage } from './language.ts'
import { fillPlaceholders, type TextValues } from './placeholders.ts'

/** Translations in every language: the same keys in each, or it does not compile. `fillPlaceholders` says what braces mean. */
export type Translations<Key extends string = string> = Readonly<
  Record<Language, Readonly<Record<Key, string>>>
>

/** Declares the texts of one page or component, which are loaded with it. English defines the keys. */
export function inLanguages<const Key extends string>(translations: {
  en: Record<Key, string>
  es: Record<NoInfer<Key>, string>
  pt: Record<NoInfer<Key>, string>
}): Translations<Key> {
  return translations
}

/** Returns the texts of a page in the reader's language. */
export function useTranslations<Key extends string>(
  translations: Translations<Key>,
): (key: Key, values?: TextValues) => string {
  const language = useLanguage()
  return (key, values) => fillPlaceholders(language, translations[language][key], values)
}

/** Returns the function that names a code of the API, or its fallback where the console has no name for it. */
export function useCodeNames(
  translations: Translations,
): (code: string, fallback?: string) => string {
  const names = translations[useLanguage()]
  return (code, fallback = code) =>
    Object.hasOwn(names, code) ? (names[code] ?? fallback) : fallback
}
