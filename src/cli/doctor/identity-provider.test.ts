import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  openProviderServer,
  serveCertifiedProvider,
} from '../../../test/harness/openid-provider.ts'
import { readConfig } from '../../platform/config.ts'
import { checkIdentityProvider } from './identity-provider.ts'

test('the doctor says whether the identity provider can be used, and its redirect address', async () => {
  assert.deepEqual(await checkIdentityProvider(readConfig({})), [])
  const provider = await openProviderServer()
  const env = { ...provider.env, FERIA_PUBLIC_URL: 'https://feria.example' }
  const check = async (change: Record<string, string> = {}) => {
    const [result] = await checkIdentityProvider(readConfig({ ...env, ...change }))
    return [result?.state, result?.says]
  }
  try {
    assert.deepEqual(await check(), [
      'warning',
      `${provider.issuer} cannot be used: something went wrong: ${provider.issuer}/.well-known/openid-configuration answered 503`,
    ])
    const redirectUri = 'https://feria.example/console/openid'
    serveCertifiedProvider(provider, { redirectUri, people: {} })
    assert.deepEqual(await check(), [
      'ok',
      `${provider.issuer} answers; its redirect address is ${redirectUri}`,
    ])
    const [state] = await check({ FERIA_OIDC_ISSUER: `${provider.issuer}/realms/other` })
    assert.equal(state, 'warning')
  } finally {
    await provider.close()
  }
})
