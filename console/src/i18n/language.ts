import { useSyncExternalStore } from 'react'

export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** How each calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  es: 'Español',
  pt: 'Português',
  en: 'English',
}

const storageKey = 'feria-console-language'
const languageListeners = new Set<() => void>()
let currentLanguage: Language = readStoredLanguage() ?? preferredBrowserLanguage()

function readStoredLanguage(): Language | undefined {
  const kept = localStorage.getItem(storageKey)
  return languages.find((each) => each === kept)
}

/** The one that the browser likes most, Spanish where it likes none of ours. */
function preferredBrowserLanguage(): Language {
  for (const tag of navigator.languages) {
    const found = languages.find((each) => tag.toLowerCase().split('-')[0] === each)
    if (found) return found
  }
  return 'es'
}

function getLanguage(): Language {
  return currentLanguage
}

export function chooseLanguage(language: Language): void {
  currentLanguage = language
  localStorage.setItem(storageKey, language)
  document.documentElement.lang = language
  for (const listener of languageListeners) listener()
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    languageListeners.add(listener)
    return () => languageListeners.delete(listener)
  }, getLanguage)
}

document.documentElement.lang = currentLanguage
