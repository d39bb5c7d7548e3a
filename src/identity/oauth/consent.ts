import { html } from '../../http/pages/html.ts'
import { page } from '../../http/pages/page.ts'
import type { Answer } from '../../http/route.ts'
import { grantScopes, tokenScopes } from '../../http/scopes.ts'
import type { Context } from '../../platform/context.ts'
import { policySourceOf } from '../applications/redirects.ts'
import type { Client } from '../applications/store.ts'
import type { SignedIn } from '../sessions/store.ts'
import { formsFor, type Visitor } from '../sessions/visitor.ts'
import type { AuthorizationInput, Wanted } from './authorization-input.ts'
import { translations } from './translations.ts'

/** The page again, as it was asked for. */
export const pathOf = (asked: AuthorizationInput) =>
  `/authorization?${new URLSearchParams(Object.entries(asked))}`

/** Asks a user whether this application may do this. The form repeats what was asked, which is checked
 * as it was the first time. */
export function consentPage(
  ctx: Pick<Context, 'config' | 'db' | 'now' | 'random'>,
  told: {
    visitor: Visitor
    user: SignedIn
    client: Client
    asked: AuthorizationInput
    wanted: Wanted
  },
): Answer {
  const { visitor, user, client, asked, wanted } = told
  const { language } = visitor
  const says = translations[language]
  const { token, headers } = formsFor(ctx, visitor)
  const { redirect_uri: redirectUri = '' } = asked
  const leadsTo = policySourceOf(redirectUri)
  const { host } = new URL(redirectUri)
  const hidden = [...Object.entries(asked), ['form_token', token]].map(
    ([name, value = '']) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const scopes = [...tokenScopes, ...grantScopes]
    .filter((scope) => wanted.scopes.includes(scope))
    .map((scope) => html`<li>${says[scope]}</li>`)
  const body = html`<p>${says.asks}</p>
<ul>${scopes}</ul>
<p class="quiet">${says.as} <strong>${user.nickname}</strong>. ${says.leads} <strong>${host}</strong>. ${says.undo}</p>
<form method="post" action="/authorization">
${hidden}
<button class="first" name="decision" value="allow">${says.allow}</button>
<button name="decision" value="deny">${says.deny}</button>
</form>
<form method="post" action="/logout">
<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="return_to" value="${pathOf(asked)}">
<button>${says.notYou}</button></form>`
  return page({
    language,
    title: `${says.title} ${client.name}`,
    body,
    formsTo: leadsTo === undefined ? [] : [leadsTo],
    headers,
  })
}
