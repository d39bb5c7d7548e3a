import { useSyncExternalStore } from 'react'

export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** How each calls itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  es: 'Español',
  pt: 'Português',
  en: 'English',
}

/** Language tags of the texts. Portuguese is Brazilian: voices and hyphenation differ from those of Portugal. */
const languageTags: Readonly<Record<Language, string>> = { es: 'es', pt: 'pt-BR', en: 'en' }

const storageKey = 'feria-console-language'
const languageListeners = new Set<() => void>()
let currentLanguage: Language = readStoredLanguage() ?? preferredBrowserLanguage()

function readStoredLanguage(): Language | undefined {
  const stored = localStorage.getItem(storageKey)
  return languages.find((each) => each === stored)
}

/** The one that the browser likes most, Spanish where it likes none of ours. */
function preferredBrowserLanguage(): Language {
  for (const tag of navigator.languages) {
    const language = languages.find((each) => tag.toLowerCase().split('-')[0] === each)
    if (language) return language
  }
  return 'es'
}

function getLanguage(): Language {
  return currentLanguage
}

export function chooseLanguage(language: Language): void {
  currentLanguage = language
  localStorage.setItem(storageKey, language)
  document.documentElement.lang = languageTags[language]
  for (const listener of languageListeners) listener()
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    languageListeners.add(listener)
    return () => languageListeners.delete(listener)
  }, getLanguage)
}

document.documentElement.lang = languageTags[currentLanguage]
