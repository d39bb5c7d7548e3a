import type { Failure } from '../../kernel/failure.ts'
import type { RouteResponse } from '../route.ts'
import { html } from './html.ts'
import { languageOf, type Translations } from './language.ts'
import { page } from './page.ts'

const translations: Translations<'title' | 'lead'> = {
  es: {
    title: 'No pudimos continuar',
    lead: 'Vuelve a la página anterior e inténtalo de nuevo. Si llegaste desde una aplicación, envía este mensaje a su desarrollador:',
  },
  pt: {
    title: 'Não foi possível continuar',
    lead: 'Volte à página anterior e tente novamente. Se você veio de um aplicativo, envie esta mensagem ao desenvolvedor dele:',
  },
  en: {
    title: 'We could not continue',
    lead: 'Go back and try again. If you came from an application, send this message to its developer:',
  },
}

/** Renders a failure as a page for people. */
export function failurePage(failure: Failure, acceptLanguage: string | undefined): RouteResponse {
  const language = languageOf(acceptLanguage)
  const { title, lead } = translations[language]
  const body = html`<p>${lead}</p>
<p class="alert" role="alert"><code lang="en">${failure.message}</code></p>`
  return page({ language, title, body, status: failure.status })
}
