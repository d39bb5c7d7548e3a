import { html } from '../../http/pages/html.ts'
import { page } from '../../http/pages/page.ts'
import type { RouteResponse } from '../../http/route.ts'
import { grantScopes, tokenScopes } from '../../http/scopes.ts'
import type { Context } from '../../platform/context.ts'
import { policySourceOf } from '../applications/redirects.ts'
import type { OAuthClient } from '../applications/store.ts'
import type { SessionUser } from '../sessions/store.ts'
import { formsFor, type Visitor } from '../sessions/visitor.ts'
import type { AuthorizationInput, RequestedGrant } from './authorization-input.ts'
import { translations } from './translations.ts'

/** Returns the path of the authorization page for this input. */
export const authorizationPath = (input: AuthorizationInput) =>
  `/authorization?${new URLSearchParams(Object.entries(input))}`

/** Renders the consent page. Its form carries the whole input, which is checked again when it is submitted. */
export function consentPage(
  ctx: Pick<Context, 'config' | 'db' | 'now' | 'random'>,
  request: {
    visitor: Visitor
    user: SessionUser
    client: OAuthClient
    input: AuthorizationInput
    wanted: RequestedGrant
  },
): RouteResponse {
  const { visitor, user, client, input, wanted } = request
  const { language } = visitor
  const text = translations[language]
  const { token, headers } = formsFor(ctx, visitor)
  const { redirect_uri: redirectUri = '' } = input
  const policySource = policySourceOf(redirectUri)
  const { host } = new URL(redirectUri)
  const hidden = [...Object.entries(input), ['form_token', token]].map(
    ([name, value = '']) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const scopes = [...tokenScopes, ...grantScopes]
    .filter((scope) => wanted.scopes.includes(scope))
    .map((scope) => html`<li>${text[scope]}</li>`)
  const body = html`<p>${text.asks}</p>
<ul>${scopes}</ul>
<p class="quiet">${text.as} <strong>${user.nickname}</strong>. ${text.leads} <strong>${host}</strong>. ${text.undo}</p>
<form method="post" action="/authorization">
${hidden}
<button class="first" name="decision" value="allow">${text.allow}</button>
<button name="decision" value="deny">${text.deny}</button>
</form>
<form method="post" action="/logout">
<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="return_to" value="${authorizationPath(input)}">
<button>${text.notYou}</button></form>`
  return page({
    language,
    title: `${text.title} ${client.name}`,
    body,
    formsTo: policySource === undefined ? [] : [policySource],
    headers,
  })
}
