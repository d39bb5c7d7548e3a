import { type Language, useLanguage } from './language.ts'

/** Words in every language: the same keys in each, or it does not compile. `{name}` stands for a value. */
export type Words<Key extends string = string> = Readonly<
  Record<Language, Readonly<Record<Key, string>>>
>

/** What belongs to one page or piece, loaded with it. English says which keys there are. */
export function inLanguages<const Key extends string>(words: {
  en: Record<Key, string>
  es: Record<NoInfer<Key>, string>
  pt: Record<NoInfer<Key>, string>
}): Words<Key> {
  return words
}

export type Values = Readonly<Record<string, string | number>>

export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Tells the words of a page in the language of whoever looks at it. */
export function useText<Key extends string>(
  words: Words<Key>,
): (key: Key, values?: Values) => string {
  const language = useLanguage()
  return (key, values) => fill(words[language][key], values)
}
