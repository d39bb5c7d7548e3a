export type TextValues = Readonly<Record<string, string | number>>

const pluralPattern =
  /\{(\w+), plural, one \{((?:[^{}]|\{\w+\})*)\} other \{((?:[^{}]|\{\w+\})*)\}\}/g

/**
 * Fills in a text. `{name}` stands for a value. `{count, plural, one {…} other {…}}`, as in ICU messages,
 * chooses a form by the plural rules of the language; `count` is a number.
 */
export function fillPlaceholders(language: string, text: string, values: TextValues = {}): string {
  const chosen = text.replace(pluralPattern, (_, name: string, one: string, other: string) =>
    new Intl.PluralRules(language).select(Number(values[name])) === 'one' ? one : other,
  )
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
