import { readFileSync } from 'node:fs'
import { clientOf, type ServerOptions } from '../client.ts'
import type { Output } from '../frame/output.ts'

type Create = ServerOptions & {
  user: number
  application?: number
  scopes?: readonly string[]
  'expires-in'?: number
}

/** `feria tokens create --user ID`: issues an access token and prints it. */
export async function createToken(
  { user, application, scopes, 'expires-in': seconds, ...options }: Create,
  out: Output,
): Promise<undefined> {
  const body = {
    user_id: user,
    ...(application === undefined ? {} : { application_id: application }),
    ...(scopes ? { scopes } : {}),
    ...(seconds === undefined ? {} : { expires_in: seconds }),
  }
  const answer = await clientOf(options).call('POST', '/operator/tokens', { body })
  // Standard output holds only the token, so that TOKEN=$(feria tokens create …) works.
  out.show(answer, () => answer.access_token)
  const { scope, expires_in: life } = answer
  out.note(`token of user ${user}, scope ${scope}, expires in ${life} seconds`)
}

/** `feria tokens revoke ISSUED`: revokes a token. `-` reads it from standard input, so that `ps` does not show it. */
export async function revokeToken(
  { issued, ...options }: ServerOptions & { issued: string },
  out: Output,
): Promise<undefined> {
  const access_token = issued === '-' ? readFileSync(0, 'utf8').trim() : issued
  const body = { access_token }
  await clientOf(options).call('POST', '/operator/tokens/revoke', { body })
  out.show({ revoked: true }, () => 'The token is revoked. Every process refuses it from now on.')
}
