import { useSyncExternalStore } from 'react'

export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** How each calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  es: 'Español',
  pt: 'Português',
  en: 'English',
}

const key = 'feria-console-language'
const listeners = new Set<() => void>()
let current: Language = chosen() ?? liked()

function chosen(): Language | undefined {
  const kept = localStorage.getItem(key)
  return languages.find((each) => each === kept)
}

/** The one that the browser likes most, Spanish where it likes none of ours. */
function liked(): Language {
  for (const tag of navigator.languages) {
    const found = languages.find((each) => tag.toLowerCase().split('-')[0] === each)
    if (found) return found
  }
  return 'es'
}

export function languageNow(): Language {
  return current
}

export function chooseLanguage(language: Language): void {
  current = language
  localStorage.setItem(key, language)
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, languageNow)
}

document.documentElement.lang = current
