import { html } from '../http/pages/html.ts'
import { languageOf, type Translations } from '../http/pages/language.ts'
import { page } from '../http/pages/page.ts'
import type { Answer } from '../http/route.ts'

const words: Translations<'title' | 'how' | 'after'> = {
  es: {
    title: 'La consola no está construida',
    how: 'Este programa corre desde un repositorio en el que falta construirla. En él:',
    after: 'Después, reinicia el programa.',
  },
  pt: {
    title: 'O console não foi construído',
    how: 'Este programa roda de um repositório em que falta construí-lo. Nele:',
    after: 'Depois, reinicie o programa.',
  },
  en: {
    title: 'The console has not been built',
    how: 'This program runs from a checkout in which it has yet to be built. There:',
    after: 'Then start the program again.',
  },
}

/** Stands where the console would. */
export function unbuiltPage(acceptLanguage: string | undefined): Answer {
  const language = languageOf(acceptLanguage)
  const { title, how, after } = words[language]
  const body = html`<p>${how}</p>
<p><code>npm ci &amp;&amp; npm run build:console</code></p>
<p>${after}</p>`
  return page({ language, title, body, status: 503 })
}
