import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorToken } from '../../../test/harness/app.ts'
import { openBareServer } from '../../../test/harness/server.ts'
import { type Log, makeLog } from '../../platform/log.ts'
import { healthRoutes } from '../health.ts'

async function openWatched(env: Record<string, string>) {
  const warnings: [fields: object, text: string][] = []
  const warn: Log['warn'] = (fields, text) => void warnings.push([fields, text])
  const log = Object.assign(makeLog('silent'), { warn })
  const bare = await openBareServer(healthRoutes, {
    env: { FERIA_OPERATOR_TOKEN: operatorToken, ...env },
    log,
  })
  return { ...bare, warnings }
}

const cases: [name: string, env: Record<string, string>, count: number | undefined][] = [
  ['a proxy that nobody trusts is logged once and counted each time', {}, 3],
  ['a proxy that is trusted is nothing to tell', { FERIA_TRUSTED_PROXIES: '127.0.0.1' }, 0],
]
for (const [name, env, expected] of cases) {
  test(name, async () => {
    const { server, address, warnings } = await openWatched(env)
    try {
      const get = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(address + path, { headers })).text()
      await get('/health/live')
      assert.deepEqual(warnings, [])
      await get('/health/live', { 'x-forwarded-for': '203.0.113.7' })
      await get('/health/live', { forwarded: 'for=203.0.113.7' })
      await get('/nowhere', { 'x-forwarded-for': '203.0.113.7' })
      const figures = await get('/metrics', { authorization: `Bearer ${operatorToken}` })
      assert.match(figures, RegExp(`^feria_untrusted_forwarding_total ${expected}$`, 'm'))
      assert.equal(warnings.length, expected === 0 ? 0 : 1)
      if (expected !== 0) assert.match(warnings[0]?.[1] ?? '', /FERIA_TRUSTED_PROXIES/)
    } finally {
      await server.close()
    }
  })
}
