import { html } from '../../http/pages/html.ts'
import { languageTags } from '../../http/pages/language.ts'
import { page } from '../../http/pages/page.ts'
import type { RouteResponse } from '../../http/route.ts'
import type { Context } from '../../platform/context.ts'
import type { GrantedAuthorization } from '../grants/store.ts'
import type { SessionUser } from './store.ts'
import { translations } from './translations.ts'
import { formsFor, type Visitor } from './visitor.ts'

type Tools = Pick<Context, 'config' | 'db' | 'now' | 'random'>

/** Renders the sign-in page. After sign-in the browser goes to `returnTo`, a path of this service. */
export function signInPage(
  ctx: Tools,
  view: {
    visitor: Visitor
    returnTo: string | undefined
    login?: string
    /** Why the last attempt failed. */
    problem?: 'refused' | 'tooMany'
    status?: number
    headers?: Record<string, string>
  },
): RouteResponse {
  const { language } = view.visitor
  const text = translations[language]
  const { token, headers } = formsFor(ctx, view.visitor)
  const alert = view.problem && html`<p class="alert" role="alert">${text[view.problem]}</p>`
  const body = html`${alert}
<form method="post" action="/login">
<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="return_to" value="${view.returnTo ?? ''}">
<label for="login">${text.login}</label>
<input id="login" name="login" value="${view.login ?? ''}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required>
<label for="password">${text.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required>
<button class="first">${text.enter}</button>
</form>`
  const { status = 200 } = view
  return page({
    language,
    title: text.signIn,
    body,
    status,
    headers: { ...headers, ...view.headers },
  })
}

/** Renders the account page: the signed-in user and the applications that the user has authorized. */
export function accountPage(
  ctx: Tools,
  {
    visitor,
    user,
    granted,
  }: { visitor: Visitor; user: SessionUser; granted: readonly GrantedAuthorization[] },
): RouteResponse {
  const { language } = visitor
  const text = translations[language]
  const { token, headers } = formsFor(ctx, visitor)
  const hidden = html`<input type="hidden" name="form_token" value="${token}">`
  const day = new Intl.DateTimeFormat(languageTags[language], {
    dateStyle: 'medium',
    timeZone: 'UTC',
  })
  const rows = granted.map(
    ({ applicationId, name, dateCreated }) => html`<li>
<strong>${name}</strong>, ${text.since} <time datetime="${dateCreated.toISOString()}">${day.format(dateCreated)}</time>
<form method="post" action="/account">${hidden}
<input type="hidden" name="application_id" value="${applicationId}">
<button>${text.end} ${name}</button></form></li>`,
  )
  const list = rows.length === 0 ? html`<p>${text.none}</p>` : html`<ul>${rows}</ul>`
  const body = html`<p>${text.signedInAs} <strong>${user.nickname}</strong>.</p>
<h2>${text.applications}</h2>
${list}
<form method="post" action="/logout">${hidden}<button>${text.leave}</button></form>`
  return page({ language, title: text.account, body, headers })
}
