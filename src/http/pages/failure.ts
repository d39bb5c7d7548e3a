import type { Failure } from '../../kernel/failure.ts'
import type { Answer } from '../route.ts'
import { html } from './html.ts'
import { languageOf, type Translations } from './language.ts'
import { page } from './page.ts'

const words: Translations<'title' | 'lead'> = {
  es: {
    title: 'No se puede continuar',
    lead: 'Si llegaste desde otra aplicación, avisa a quien la hizo. Lo que falló:',
  },
  pt: {
    title: 'Não é possível continuar',
    lead: 'Se você veio de outro aplicativo, avise quem o fez. O que falhou:',
  },
  en: {
    title: 'Cannot continue',
    lead: 'If another application sent you here, tell its developer. The error:',
  },
}

/** Renders a failure as a page for a browser. */
export function failurePage(failure: Failure, acceptLanguage: string | undefined): Answer {
  const language = languageOf(acceptLanguage)
  const { title, lead } = words[language]
  const body = html`<p>${lead}</p>
<p class="alert" role="alert"><code lang="en">${failure.message}</code></p>`
  return page({ language, title, body, status: failure.status })
}
