import { Type } from 'typebox'
import { redirect } from '../../http/pages/page.ts'
import { type Route, route } from '../../http/route.ts'
import { secondMs } from '../../kernel/clock.ts'
import { Id } from '../../kernel/schema.ts'
import { endAuthorization } from '../commands.ts'
import { listAuthorizations } from '../grants/store.ts'
import { findDevice, rememberDevice } from './devices.ts'
import { accountPage, signInPage } from './pages.ts'
import { signIn } from './sign-in.ts'
import { checkForm, closeSession, openSession, visitorOf } from './visitor.ts'

const tag = 'Signing in'
export const HtmlPage = Type.String({ contentMediaType: 'text/html' })
const ReturnTo = Type.Optional(Type.String({ maxLength: 8_192 }))
const FormToken = Type.String({ maxLength: 200, description: 'The hidden field of the form' })

/**
 * Returns `text` if it is a path of this service, otherwise undefined. It must not become an open redirect, however
 * a foreign address is written.
 */
export function localPath(text: string | undefined): string | undefined {
  if (text === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined
  const here = 'http://here.invalid'
  return URL.canParse(text, here) && new URL(text, here).origin === here ? text : undefined
}

const getLogin = route({
  method: 'GET',
  url: '/login',
  scope: 'page',
  tag,
  summary: 'Show the sign-in page',
  description:
    'Shows the form to sign in. If the browser is signed in already, it goes on to `return_to`, or to `/account`.',
  query: Type.Object({ return_to: ReturnTo }),
  answers: { 200: HtmlPage, 303: Type.Null() },
  async handle(ctx, { headers, query }) {
    const visitor = await visitorOf(ctx, headers)
    const returnTo = localPath(query.return_to)
    if (visitor.user) return redirect(returnTo ?? '/account')
    return signInPage(ctx, { visitor, returnTo })
  },
})

const postLogin = route({
  method: 'POST',
  url: '/login',
  scope: 'page',
  tag,
  summary: 'Sign in',
  description:
    'Signs in with a nickname or e-mail address and a password. Five wrong attempts a minute, or ten an hour, are allowed for a known browser, and for a network at one account. More answer 429 with `Retry-After`. Attempts of others do not block a browser that has signed in before. A wrong password and an unknown user get the same answer.',
  takesFields: true,
  body: Type.Object({
    form_token: FormToken,
    login: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 200 }),
    return_to: ReturnTo,
  }),
  answers: { 303: Type.Null() },
  async handle(ctx, { headers, body, network }) {
    const visitor = await visitorOf(ctx, headers)
    checkForm(visitor, body.form_token)
    const { login, password } = body
    const returnTo = localPath(body.return_to)
    const device = await findDevice(ctx, headers)
    const attempt = await signIn(ctx, { login, password, network, device })
    if (attempt.result === 'signed in') {
      const { userId } = attempt
      const cookies = [
        await openSession(ctx, { visitor, userId }),
        await rememberDevice(ctx, { device, userId }),
      ]
      return redirect(returnTo ?? '/account', { 'set-cookie': cookies })
    }
    if (attempt.result === 'refused') {
      return signInPage(ctx, { visitor, returnTo, login, problem: 'refused', status: 403 })
    }
    const seconds = Math.ceil((attempt.endsAt.getTime() - ctx.now().getTime()) / secondMs)
    const wait = { 'retry-after': String(Math.max(1, seconds)) }
    return signInPage(ctx, {
      visitor,
      returnTo,
      login,
      status: 429,
      headers: wait,
      problem: 'tooMany',
    })
  },
})

const postLogout = route({
  method: 'POST',
  url: '/logout',
  scope: 'page',
  tag,
  summary: 'Sign out',
  description:
    'Ends the session of this browser at once, in every process. Fails with `form_expired` if the form does not belong to this browser.',
  takesFields: true,
  body: Type.Object({ form_token: FormToken, return_to: ReturnTo }),
  answers: { 303: Type.Null() },
  async handle(ctx, { headers, body }) {
    const visitor = await visitorOf(ctx, headers)
    checkForm(visitor, body.form_token)
    const cookie = await closeSession(ctx, visitor)
    return redirect(localPath(body.return_to) ?? '/login', { 'set-cookie': cookie })
  },
})

const getAccount = route({
  method: 'GET',
  url: '/account',
  scope: 'page',
  tag,
  summary: 'Show the account page',
  description:
    'Shows the signed-in user and the applications that act for the user. Goes to the sign-in page if nobody is signed in.',
  answers: { 200: HtmlPage, 303: Type.Null() },
  async handle(ctx, { headers }) {
    const visitor = await visitorOf(ctx, headers)
    const { user } = visitor
    if (!user) return redirect('/login?return_to=/account')
    const { granted } = await listAuthorizations(ctx.db, { userId: user.id })
    return accountPage(ctx, { visitor, user, granted })
  },
})

const postAccount = route({
  method: 'POST',
  url: '/account',
  scope: 'page',
  tag,
  summary: 'Revoke the access of an application in the browser',
  description:
    'The form of the account page sends this, with the session cookie of the signed-in user. It deletes the user’s authorization of the application; the tokens of the application for this user are refused at once. The browser returns to the account page, also if there was no authorization. Without a session it goes to the sign-in page. Fails with `form_expired` if the form does not belong to this browser.',
  takesFields: true,
  body: Type.Object({
    form_token: FormToken,
    application_id: Type.Union([Id, Type.String({ pattern: '^[1-9][0-9]{0,15}$' })]),
  }),
  answers: { 303: Type.Null() },
  async handle(ctx, { headers, body }) {
    const visitor = await visitorOf(ctx, headers)
    checkForm(visitor, body.form_token)
    if (!visitor.user) return redirect('/login?return_to=/account')
    const applicationId = Number(body.application_id)
    const userId = visitor.user.id
    await endAuthorization(ctx, { userId, applicationId, revokedBy: 'user' })
    return redirect('/account')
  },
})

export const sessionRoutes: Route[] = [getLogin, postLogin, postLogout, getAccount, postAccount]
