import { html } from '../http/pages/html.ts'
import { languageOf, type Translations } from '../http/pages/language.ts'
import { page } from '../http/pages/page.ts'
import type { Answer } from '../http/route.ts'

const words: Translations<'title' | 'how' | 'after'> = {
  es: {
    title: 'La consola no está construida',
    how: 'Ejecuta esto en el repositorio del programa:',
    after: 'Después, reinicia el programa.',
  },
  pt: {
    title: 'O console não foi construído',
    how: 'Execute isto no repositório do programa:',
    after: 'Depois, reinicie o programa.',
  },
  en: {
    title: 'The console has not been built',
    how: 'Run this in the checkout of the program:',
    after: 'Then restart the program.',
  },
}

/** Renders the page that stands in for a console that is not built. */
export function unbuiltPage(acceptLanguage: string | undefined): Answer {
  const language = languageOf(acceptLanguage)
  const { title, how, after } = words[language]
  const body = html`<p>${how}</p>
<p><code>npm ci &amp;&amp; npm run build:console</code></p>
<p>${after}</p>`
  return page({ language, title, body, status: 503 })
}
