import { html } from '../http/pages/html.ts'
import { languageOf, type Translations } from '../http/pages/language.ts'
import { page } from '../http/pages/page.ts'
import type { RouteResponse } from '../http/route.ts'

const translations: Translations<'title' | 'how' | 'after'> = {
  es: {
    title: 'La consola no está compilada',
    how: 'Para compilarla, ejecuta en el repositorio:',
    after: 'Luego reinicia Feria.',
  },
  pt: {
    title: 'O console não foi compilado',
    how: 'Para compilá-lo, execute no repositório:',
    after: 'Depois, reinicie a Feria.',
  },
  en: {
    title: 'The console has not been built',
    how: 'To build it, run in the repository:',
    after: 'Then restart Feria.',
  },
}

/** Renders the page that is served while the console is not built. */
export function consoleUnbuiltPage(acceptLanguage: string | undefined): RouteResponse {
  const language = languageOf(acceptLanguage)
  const { title, how, after } = translations[language]
  const body = html`<p>${how}</p>
<p><code>npm ci &amp;&amp; npm run build:console</code></p>
<p>${after}</p>`
  return page({ language, title, body, status: 503 })
}
