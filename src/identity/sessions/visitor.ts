import type { IncomingHttpHeaders } from 'node:http'
import { type Language, languageOf } from '../../http/pages/language.ts'
import { secondMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { digestOf } from '../token.ts'
import { type Cookie, formTokenOf, isFormTokenOf, readCookie, writeCookie } from './cookie.ts'
import { deleteSession, findSession, insertSession, type SessionUser } from './store.ts'

/** Lifetime of a session. Use does not extend it. */
const sessionSeconds = 24 * 3600

/** The person in front of a browser, signed in or not. */
export interface Visitor {
  language: Language
  cookie: Cookie | undefined
  /** The signed-in user, if any. */
  user: SessionUser | undefined
}

type Tools = Pick<Context, 'config' | 'db' | 'now' | 'random'>

/** Returns the visitor of a request. Sessions are not cached: pages are rare, and an ended session must end at once. */
export async function visitorOf(ctx: Tools, headers: IncomingHttpHeaders): Promise<Visitor> {
  const language = languageOf(headers['accept-language'])
  const cookie = readCookie('session', headers, ctx.config)
  if (cookie?.userId === undefined) return { language, cookie, user: undefined }
  const user = await findSession(ctx.db, {
    userId: cookie.userId,
    digest: digestOf(cookie.secret),
    now: ctx.now(),
  })
  return { language, cookie, user }
}

/** Returns the CSRF token for the forms of a page, and the headers that set its cookie if the browser has none. */
export function formsFor(
  { config, random }: Tools,
  { cookie }: Visitor,
): { token: string; headers: Record<string, string> } {
  if (cookie) return { token: formTokenOf(cookie), headers: {} }
  const fresh = { secret: random.hex(32), userId: undefined }
  return {
    token: formTokenOf(fresh),
    headers: { 'set-cookie': writeCookie('session', fresh, { config }) },
  }
}

/** Checks that a form comes from a page that this service sent to this browser. Throws `form_expired`. */
export function checkForm({ cookie }: Visitor, token: string | undefined): void {
  if (!cookie || token === undefined || !isFormTokenOf(cookie, token)) {
    throw new Failure('form_expired')
  }
}

/** Opens a session and returns its `Set-Cookie`. The browser gets a new secret, so that a planted cookie gives nobody
 * else the session (session fixation). */
export async function openSession(
  ctx: Tools,
  { visitor, userId }: { visitor: Visitor; userId: number },
): Promise<string> {
  await closeSession(ctx, visitor)
  const cookie = { secret: ctx.random.hex(32), userId }
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + sessionSeconds * secondMs)
  await insertSession(ctx.db, { userId, digest: digestOf(cookie.secret), now, expiresAt })
  return writeCookie('session', cookie, { config: ctx.config, lifeSeconds: sessionSeconds })
}

/** Ends the session of this browser, if there is one. Returns the `Set-Cookie` that removes the cookie. */
export async function closeSession({ db, config }: Tools, { cookie }: Visitor): Promise<string> {
  if (cookie?.userId !== undefined) {
    await deleteSession(db, { userId: cookie.userId, digest: digestOf(cookie.secret) })
  }
  return writeCookie('session', { secret: '', userId: undefined }, { config, lifeSeconds: 0 })
}
