import { readFileSync } from 'node:fs'
import type { RequestBody } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import type { Output } from '../frame/output.ts'

type CreateTokenOptions = ServerOptions & {
  user: number
  application?: number
  scopes?: NonNullable<RequestBody<'/operator/tokens', 'post'>['scopes']>
  'expires-in'?: number
}

/** `feria tokens create --user ID`: issues an access token and prints it. */
export async function createTokenCommand(
  { user, application, scopes, 'expires-in': seconds, ...options }: CreateTokenOptions,
  out: Output,
): Promise<undefined> {
  const body = {
    user_id: user,
    application_id: application,
    scopes,
    expires_in: seconds,
  }
  const answer = await openClient(options).call('POST', '/operator/tokens', { body })
  // Standard output holds only the token, so that TOKEN=$(feria tokens create …) works.
  out.printResult(answer, () => answer.access_token)
  const { scope, expires_in: life } = answer
  out.printNote(`token of user ${user}, scope ${scope}, expires in ${life} seconds`)
}

/** `feria tokens revoke ISSUED`: revokes a token. `-` reads it from standard input, so that `ps` does not show it. */
export async function revokeTokenCommand(
  { issued, ...options }: ServerOptions & { issued: string },
  out: Output,
): Promise<undefined> {
  const access_token = issued === '-' ? readFileSync(0, 'utf8').trim() : issued
  const body = { access_token }
  await openClient(options).call('POST', '/operator/tokens/revoke', { body })
  out.printResult(
    { revoked: true },
    () => 'The token is revoked. Every process refuses it from now on.',
  )
}
