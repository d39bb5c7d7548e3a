import { html } from '../../http/pages/html.ts'
import { page } from '../../http/pages/page.ts'
import type { Answer } from '../../http/route.ts'
import type { Context } from '../../platform/context.ts'
import type { Granted } from '../grants/store.ts'
import type { SignedIn } from './store.ts'
import { translations } from './translations.ts'
import { formsFor, type Visitor } from './visitor.ts'

type Tools = Pick<Context, 'config' | 'db' | 'now' | 'random'>

/** Asks who it is. After that it goes on at `returnTo`, a path of ours. */
export function signInPage(
  ctx: Tools,
  told: {
    visitor: Visitor
    returnTo: string | undefined
    login?: string
    /** What went wrong with the last attempt. */
    problem?: 'refused' | 'tooMany'
    status?: number
    headers?: Record<string, string>
  },
): Answer {
  const { language } = told.visitor
  const says = translations[language]
  const { token, headers } = formsFor(ctx, told.visitor)
  const alert = told.problem && html`<p class="alert" role="alert">${says[told.problem]}</p>`
  const body = html`${alert}
<form method="post" action="/login">
<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="return_to" value="${told.returnTo ?? ''}">
<label for="login">${says.login}</label>
<input id="login" name="login" value="${told.login ?? ''}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required>
<label for="password">${says.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required>
<button class="first">${says.enter}</button>
</form>`
  const { status = 200 } = told
  return page({
    language,
    title: says.signIn,
    body,
    status,
    headers: { ...headers, ...told.headers },
  })
}

/** Who is signed in, and which applications act in that name. */
export function accountPage(
  ctx: Tools,
  { visitor, user, granted }: { visitor: Visitor; user: SignedIn; granted: readonly Granted[] },
): Answer {
  const { language } = visitor
  const says = translations[language]
  const { token, headers } = formsFor(ctx, visitor)
  const hidden = html`<input type="hidden" name="form_token" value="${token}">`
  const each = granted.map(
    ({ applicationId, name, dateCreated }) => html`<li>
<strong>${name}</strong>, ${says.since} <time>${dateCreated.toISOString().slice(0, 10)}</time>
<form method="post" action="/account">${hidden}
<input type="hidden" name="application_id" value="${applicationId}">
<button>${says.end} ${name}</button></form></li>`,
  )
  const list = each.length === 0 ? html`<p>${says.none}</p>` : html`<ul>${each}</ul>`
  const body = html`<p>${says.signedInAs} <strong>${user.nickname}</strong>.</p>
<h2>${says.applications}</h2>
${list}
<form method="post" action="/logout">${hidden}<button>${says.leave}</button></form>`
  return page({ language, title: says.account, body, headers })
}
