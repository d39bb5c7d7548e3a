import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from './settings.ts'

const production = {
  DATABASE_URL: 'postgres://u:p@db.example/feria',
  FERIA_OPERATOR_TOKEN: '0123456789abcdef0123456789abcdef',
  FERIA_PUBLIC_URL: 'https://feria.example',
}

test('every mistake in the settings is found, with what to do about it', () => {
  type Case = [env: Record<string, string>, name: string, state: string, says: RegExp]
  const cases: Case[] = [
    [{}, 'settings', 'ok', /sandbox, a database of its own/],
    [production, 'settings', 'ok', /production, the database of DATABASE_URL/],
    [{ PORT: 'x' }, 'settings', 'problem', /PORT: expected a whole number/],
    [
      { ...production, FERIA_OPERATOR_TOKEN: 'feria-sandbox-operator' },
      ...(['settings', 'problem', /another token than the default of every sandbox/] as const),
    ],
    [
      { DATABASE_URL: production.DATABASE_URL },
      ...(['settings', 'problem', /FERIA_OPERATOR_TOKEN: required/] as const),
    ],
    [{}, 'names of settings', 'ok', /every/],
    [
      { FERIA_DELIVERY_RETRY_HOUR: '3' },
      ...([
        'names of settings',
        'warning',
        /RETRY_HOUR is no setting\. Did you mean "FERIA_DELIVERY_RETRY_HOURS"/,
      ] as const),
    ],
    [{ FERIA_COLOUR: 'red' }, 'names of settings', 'warning', /FERIA_COLOUR is no setting\.$/],
    [{ DATABASE_POOLS: '3' }, 'names of settings', 'warning', /Did you mean "DATABASE_POOL"/],
    [{ PORT: 'x', FERIA_X: '' }, 'names of settings', 'warning', /FERIA_X/],
    [{}, 'operator’s token', 'ok', /on this machine only/],
    [{ HOST: '0.0.0.0' }, 'settings', 'problem', /the default token is public/],
    [
      { FERIA_PUBLIC_URL: 'https://feria.example' },
      ...(['operator’s token', 'warning', /whoever does is the operator/] as const),
    ],
    [production, 'operator’s token', 'ok', /one of your own/],
    [
      { ...production, FERIA_OPERATOR_TOKEN: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
      ...(['operator’s token', 'warning', /monotonous/] as const),
    ],
    [{}, 'public address', 'ok', /where it listens/],
    [production, 'public address', 'ok', /https:\/\/feria\.example/],
    [
      { ...production, FERIA_PUBLIC_URL: 'http://feria.example' },
      ...(['public address', 'warning', /not HTTPS/] as const),
    ],
    [
      { ...production, FERIA_PUBLIC_URL: 'https://127.0.0.1:8080' },
      ...(['public address', 'warning', /its own machine/] as const),
    ],
    [
      { ...production, FERIA_PUBLIC_URL: 'https://feria.example/api?x=1' },
      ...(['public address', 'warning', /more than scheme, host and port/] as const),
    ],
    [
      { ...production, FERIA_PUBLIC_URL: '', HOST: '0.0.0.0' },
      ...(['public address', 'warning', /not set/] as const),
    ],
  ]
  for (const [env, name, state, says] of cases) {
    const settings = JSON.stringify(env)
    const result = checkSettings(env).checks.find((check) => check.name === name)
    assert.equal(result?.state, state, `${settings} ${result?.says}`)
    assert.match(result?.says ?? '', says, settings)
    assert.equal(result?.advice === undefined, state === 'ok', `${settings}: says what to do`)
  }
})

test('no check shows a secret', () => {
  const env = { ...production, DATABASE_URL: 'postgres://u:geheim@db.example/feria' }
  const shown = JSON.stringify(checkSettings(env).checks)
  assert.ok(!shown.includes('geheim') && !shown.includes(production.FERIA_OPERATOR_TOKEN))
})
