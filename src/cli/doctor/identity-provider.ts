import { redirectPath } from '../../operators/openid/admin-routes.ts'
import { IdentityProvider } from '../../operators/openid/identity-provider.ts'
import type { Config } from '../../platform/config.ts'
import { type CheckResult, okResult, warning } from './check.ts'

const name = 'identity provider'

/** Checks that the OpenID Connect provider of the settings can be used. Without one, there is nothing to check. */
export async function checkIdentityProvider({
  identityProvider: settings,
  http,
}: Pick<Config, 'identityProvider' | 'http'>): Promise<CheckResult[]> {
  if (!settings) return []
  let cause = ''
  const log = {
    warn: ({ reason }: { reason?: string }) => {
      cause = reason ?? ''
    },
  }
  try {
    await new IdentityProvider(settings, { now: () => new Date(), log }).check()
  } catch {
    const says = `${settings.issuer} cannot be used: ${cause}`
    const advice =
      'Set FERIA_OIDC_ISSUER to the issuer in the /.well-known/openid-configuration of the provider. Until it answers, operators sign in with passwords only.'
    return [warning(name, says, advice)]
  }
  const redirectUri = `${http.publicUrl ?? 'the address of this service'}${redirectPath}`
  return [okResult(name, `${settings.issuer} answers; its redirect address is ${redirectUri}`)]
}
