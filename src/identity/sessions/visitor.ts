import type { IncomingHttpHeaders } from 'node:http'
import { type Language, languageOf } from '../../http/pages/language.ts'
import { secondMs } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Context } from '../../platform/context.ts'
import { digestOf } from '../token.ts'
import { type Cookie, formTokenOf, isFormTokenOf, readCookie, writeCookie } from './cookie.ts'
import { deleteSession, findSession, insertSession, type SignedIn } from './store.ts'

/** How long somebody stays signed in, used or not. */
export const sessionSeconds = 24 * 3600

/** Somebody in front of a browser. */
export interface Visitor {
  language: Language
  cookie: Cookie | undefined
  /** Who signed in there, if anybody. */
  user: SignedIn | undefined
}

type Tools = Pick<Context, 'config' | 'db' | 'now' | 'random'>

/** Who is there. Sessions are looked up each time: pages are rare, and one that was ended is over. */
export async function visitorOf(ctx: Tools, headers: IncomingHttpHeaders): Promise<Visitor> {
  const language = languageOf(headers['accept-language'])
  const cookie = readCookie('session', headers, ctx.config)
  if (cookie?.userId === undefined) return { language, cookie, user: undefined }
  const asked = { userId: cookie.userId, digest: digestOf(cookie.secret), now: ctx.now() }
  return { language, cookie, user: await findSession(ctx.db, asked) }
}

/** What a page with forms needs: the token that they carry, and the cookie that it goes with, where
 * the browser has none yet. */
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

/** Refuses a form that came from elsewhere than a page of ours, sent to this very browser. Throws
 * `form_expired`. */
export function checkForm({ cookie }: Visitor, token: string | undefined): void {
  if (!cookie || token === undefined || !isFormTokenOf(cookie, token)) {
    throw new Failure('form_expired')
  }
}

/** Signs a user in. What the browser had before is worth nothing from now on: a session that somebody
 * else knew of would be theirs as well. Returns the `Set-Cookie` of the new one. */
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
