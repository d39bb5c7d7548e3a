import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { contract } from '../../test/harness/contract.ts'
import { ConfigFailure, readConfig, sandboxOperatorToken, showConfig } from './config.ts'
import type { settings } from './settings.ts'

const token = 'a-token-of-the-operator'
const production = { FERIA_MODE: 'production', FERIA_OPERATOR_TOKEN: token }

function mistakes(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigFailure)
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

contract('notifications', 'nothing set is a sandbox of its own, on this machine only', () => {
  const config = readConfig({})
  assert.equal(config.mode, 'sandbox')
  assert.equal(config.operatorToken, sandboxOperatorToken)
  assert.deepEqual([config.http.host, config.http.port], ['127.0.0.1', 8080])
  assert.equal(config.database.url, undefined)
  assert.equal(config.dataDirectory, resolve('./data'))
  assert.deepEqual(config.delivery, {
    timeoutMs: 20_000,
    retryHours: 12,
    attempts: 5,
    inFlight: 16,
    connections: 4_096,
    disableHours: 120,
    coalesces: false,
    allowPrivateAddresses: true,
  })
})

contract('notifications', 'the mode follows the database unless it is said', () => {
  const cases: [env: Record<string, string>, mode: string][] = [
    [{}, 'sandbox'],
    [{ FERIA_MODE: 'production' }, 'production'],
    [{ DATABASE_URL: 'postgres://u:p@h/d' }, 'production'],
    [{ DATABASE_URL: 'postgresql://u:p@h/d', FERIA_MODE: 'sandbox' }, 'sandbox'],
    [{ DATABASE_URL: '  ', FERIA_MODE: ' ' }, 'sandbox'],
  ]
  for (const [env, mode] of cases) {
    const config = readConfig({ FERIA_OPERATOR_TOKEN: token, ...env })
    assert.equal(config.mode, mode, JSON.stringify(env))
    assert.equal(config.delivery.allowPrivateAddresses, mode === 'sandbox')
    assert.equal(config.demo, mode === 'sandbox')
  }
})

test("production asks for an operator's token of its own", () => {
  assert.deepEqual(mistakes(production), [])
  assert.match(mistakes({ FERIA_MODE: 'production' })[0] ?? '', /^FERIA_OPERATOR_TOKEN: required/)
  assert.match(
    mistakes({ DATABASE_URL: 'postgres://u:p@h/d' })[0] ?? '',
    /^FERIA_OPERATOR_TOKEN: required/,
  )
  assert.match(mistakes({ ...production, FERIA_OPERATOR_TOKEN: 'short' })[0] ?? '', /at least 16/)
  assert.match(
    mistakes({ ...production, FERIA_OPERATOR_TOKEN: sandboxOperatorToken })[0] ?? '',
    /expected another token than the default of every sandbox/,
  )
})

test('a command that answers no requests needs no operator token, but refuses a short one', () => {
  const address = { DATABASE_URL: 'postgres://u:p@h/d' }
  const option = { needsOperatorToken: false }
  assert.equal(readConfig(address, option).operatorToken, '')
  readConfig({ HOST: '0.0.0.0' }, option)
  assert.throws(
    () => readConfig({ ...address, FERIA_OPERATOR_TOKEN: 'short' }, option),
    /at least 16/,
  )
})

test("a sandbox beyond this machine asks for an operator's token of its own, and says why", () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'feria.lan', '127.evil.example']) {
    for (const FERIA_OPERATOR_TOKEN of ['', sandboxOperatorToken]) {
      const [mistake = '', ...others] = mistakes({ HOST, FERIA_OPERATOR_TOKEN })
      assert.deepEqual(others, [])
      assert.match(mistake, /^FERIA_OPERATOR_TOKEN: required .*listens beyond this machine/)
      assert.ok(
        mistake.includes(`HOST is ${HOST}`) && mistake.includes('the default token is public'),
      )
    }
    assert.deepEqual(mistakes({ HOST, FERIA_OPERATOR_TOKEN: token }), [])
  }
  for (const HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost', 'LOCALHOST', 'a.localhost']) {
    assert.equal(readConfig({ HOST }).operatorToken, sandboxOperatorToken)
  }
})

test('a sandbox beyond this machine sends to no private address unless it is told to', () => {
  const cases: [env: Record<string, string>, isAllowed: boolean][] = [
    [{}, true],
    [{ FERIA_PRIVATE_CALLBACKS: 'off' }, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '0.0.0.0', FERIA_PRIVATE_CALLBACKS: 'on' }, true],
    [production, false],
    [{ ...production, FERIA_PRIVATE_CALLBACKS: 'off' }, false],
  ]
  for (const [env, isAllowed] of cases) {
    const { delivery } = readConfig({ FERIA_OPERATOR_TOKEN: token, ...env })
    assert.equal(delivery.allowPrivateAddresses, isAllowed, JSON.stringify(env))
  }
  const inProduction = mistakes({ ...production, FERIA_PRIVATE_CALLBACKS: 'on' })
  assert.deepEqual(inProduction, ['FERIA_PRIVATE_CALLBACKS: expected off in production'])
})

test('a wrong value is named with what was expected', () => {
  const cases: [name: string, value: string, words: RegExp][] = [
    ['PORT', '65536', /a whole number from 0 to 65535, got "65536"/],
    ['FERIA_WORK_PORT', '65536', /a whole number from 0 to 65535/],
    ['PORT', '-1', /a whole number/],
    ['PORT', '80.5', /a whole number/],
    ['PORT', '0x50', /a whole number/],
    ['PORT', '1e3', /a whole number/],
    ['PORT', 'http', /a whole number/],
    ['DATABASE_POOL', '1', /from 2 to 1000/],
    ['FERIA_READ_DEADLINE_MS', '0', /from 10 to 15000/],
    ['FERIA_GUIDE_CAPS', 'OTHER', /pairs such as OTHER=1/],
    ['FERIA_GUIDE_CAPS', 'NOTHING=1', /REQUEST_VARIANTS, .*OTHER/],
    ['FERIA_GUIDE_CAPS', 'OTHER=-1', /pairs such as/],
    ['FERIA_SEARCH_FACTORS', 'sales', /pairs such as sales=30,reputation=0 of sales, sold_out/],
    ['FERIA_SEARCH_FACTORS', 'price=1', /of .*title_word, each at most once .* got "price=1"/],
    ['FERIA_SEARCH_FACTORS', 'SALES=1', /pairs such as/],
    ['FERIA_SEARCH_FACTORS', 'sales=3651', /whole days from 0 to 3650/],
    ['FERIA_SEARCH_FACTORS', 'sales=99999', /whole days from 0 to 3650/],
    ['FERIA_SEARCH_FACTORS', 'sales=-1', /whole days/],
    ['FERIA_SEARCH_FACTORS', 'sales=1.5', /whole days/],
    ['FERIA_SEARCH_FACTORS', 'sales=1,sales=2', /each at most once/],
    ['FERIA_SEARCH_FACTORS', 'sales=1,', /pairs such as/],
    ['FERIA_SEARCH_FACTORS', 'sales=1;reputation=2', /pairs such as/],
    ['DATABASE_URL', 'mysql://u:p@h/d', /postgres:\/\/ or postgresql:\/\//],
    ['DATABASE_URL', 'not an address', /postgres:\/\/ or postgresql:\/\//],
    ['FERIA_PUBLIC_URL', 'ftp://x', /http:\/\/ or https:\/\//],
    ['FERIA_TRUSTED_PROXIES', '10.0.0.0/8, nonsense', /addresses or ranges .* got "nonsense"/],
    ['FERIA_ALLOWED_HOSTS', 'a.example, b.example:80', /without a port .* got "b.example:80"/],
    ['FERIA_ALLOWED_HOSTS', 'https://a.example', /hosts without a port/],
    ['FERIA_METRICS_PORT', '0', /from 1 to 65535/],
    ['FERIA_METRICS_PORT', '8080', /another port than PORT/],
    ['FERIA_PRIVATE_CALLBACKS', 'yes', /on or off, got "yes"/],
    ['FERIA_MODE', 'staging', /sandbox or production, got "staging"/],
    ['FERIA_DEMO', 'yes', /on or off/],
    ['FERIA_LOG_LEVEL', 'verbose', /debug/],
    ['TLS_CERT_FILE', 'a.pem', /both or neither/],
    ['TLS_KEY_FILE', 'a.pem', /both or neither/],
    ['FERIA_S3_REGION', 'sa-east-1', /FERIA_S3_BUCKET: required with FERIA_S3_REGION/],
    ['FERIA_DELIVERY_ATTEMPTS', '0', /from 1 to 100/],
    ['FERIA_REFRESH_GRACE_SECONDS', '301', /from 0 to 300/],
    ['FERIA_HISTORY_DAYS', '2', /from 3/],
    ['FERIA_AUDIT_DAYS', '29', /from 30/],
    ['FERIA_JOB_RESULT_DAYS', '0', /from 1/],
  ]
  for (const [name, value, words] of cases) {
    const messages = mistakes({ FERIA_OPERATOR_TOKEN: token, [name]: value })
    assert.equal(messages.length, 1, `${name}=${value}: ${messages.join('; ')}`)
    assert.ok(messages[0]?.includes(name), String(messages[0]))
    assert.match(messages[0] ?? '', words)
  }
})

test('factors of searches that are left out keep their defaults', () => {
  const usual = { sales: 30, sold_out: 365, free_shipping: 15, reputation: 20, title_word: 2 }
  const cases: [value: string, changed: Partial<typeof usual>][] = [
    ['', {}],
    ['reputation=0', { reputation: 0 }],
    [' sales = 0 , sold_out=3650', { sales: 0, sold_out: 3_650 }],
    [
      'title_word=5,reputation=4,free_shipping=3,sold_out=2,sales=1',
      { sales: 1, sold_out: 2, free_shipping: 3, reputation: 4, title_word: 5 },
    ],
  ]
  for (const [value, changed] of cases) {
    const { factors } = readConfig({ FERIA_SEARCH_FACTORS: value }).search
    assert.deepEqual(factors, { ...usual, ...changed }, value)
  }
})

test('a bucket takes a key, and is addressed as its store usually is', () => {
  const bucket = { FERIA_S3_BUCKET: 'files' }
  const key = { FERIA_S3_ACCESS_KEY_ID: 'AK', FERIA_S3_SECRET_ACCESS_KEY: 'SK' }
  const FERIA_S3_ENDPOINT = 'http://localhost:9000/'
  assert.equal(readConfig({}).files.s3, undefined)
  assert.deepEqual(mistakes(bucket), [
    'FERIA_S3_ACCESS_KEY_ID: required with FERIA_S3_BUCKET',
    'FERIA_S3_SECRET_ACCESS_KEY: required with FERIA_S3_BUCKET',
  ])
  assert.deepEqual(readConfig({ ...bucket, ...key }).files.s3, {
    bucket: 'files',
    region: 'us-east-1',
    endpoint: undefined,
    pathStyle: false,
    accessKeyId: 'AK',
    secretAccessKey: 'SK',
  })
  const own = readConfig({ ...bucket, ...key, FERIA_S3_ENDPOINT }).files.s3
  assert.deepEqual([own?.endpoint, own?.pathStyle], ['http://localhost:9000', true])
  const FERIA_S3_PATH_STYLE = 'off'
  const env = { ...bucket, ...key, FERIA_S3_ENDPOINT, FERIA_S3_PATH_STYLE }
  assert.equal(readConfig(env).files.s3?.pathStyle, false)
  const wrong = {
    ...bucket,
    ...key,
    FERIA_S3_ENDPOINT: 'localhost:9000',
    FERIA_S3_PATH_STYLE: 'yes',
  }
  assert.match(mistakes(wrong)[0] ?? '', /^FERIA_S3_ENDPOINT: expected an address/)
  assert.match(mistakes(wrong)[1] ?? '', /^FERIA_S3_PATH_STYLE: expected on or off/)
  const shown = JSON.stringify(showConfig(readConfig(env)))
  assert.match(shown, /"secretAccessKey":"\*\*\*"/)
  assert.doesNotMatch(shown, /SK/)
})

test('all mistakes are reported together', () => {
  const wrong = {
    PORT: 'x',
    DATABASE_POOL: 'x',
    FERIA_MODE: 'x',
    FERIA_DEMO: 'x',
    FERIA_RATE_PER_MINUTE: 'x',
    TLS_CERT_FILE: 'x',
    FERIA_OPERATOR_TOKEN: 'x',
  }
  const text = mistakes(wrong).join('\n')
  for (const name of Object.keys(wrong)) assert.ok(text.includes(name), `${name} in:\n${text}`)
})

test('a mistake does not print a secret', () => {
  const text = mistakes({
    FERIA_OPERATOR_TOKEN: 'hush',
    DATABASE_URL: 'mysql://user:hush@host/name',
  }).join('\n')
  assert.ok(text.length > 0 && !text.includes('hush'), text)
})

test('secrets print as ***, whatever way they came in', () => {
  for (const DATABASE_URL of [
    'postgres://user:qqqq@host:5432/name',
    'postgres://user:qq@qq@host/name',
    'postgres://user:qq%40qq@host/name?sslmode=require',
    'postgres://user@host/name?password=qqqq',
    'postgres://:qqqq@host/name',
  ]) {
    const shown = JSON.stringify(
      showConfig(readConfig({ DATABASE_URL, FERIA_OPERATOR_TOKEN: 'qqqq-qqqq-qqqq-qqqq' })),
    )
    assert.doesNotMatch(shown, /qq/, shown)
    assert.match(shown, /"operatorToken":"\*\*\*"/)
    assert.match(shown, /host/)
  }
})

test('a provider of identities is named whole, over https beyond this machine', () => {
  const provider = {
    FERIA_OIDC_ISSUER: 'https://login.example.com/realms/feria',
    FERIA_OIDC_CLIENT_ID: 'feria',
    FERIA_OIDC_CLIENT_SECRET: 'a secret of qq',
  }
  assert.deepEqual(readConfig(provider).identityProvider, {
    issuer: 'https://login.example.com/realms/feria',
    clientId: 'feria',
    clientSecret: 'a secret of qq',
    name: 'login.example.com',
  })
  const spelled = readConfig({ ...provider, FERIA_OIDC_ISSUER: 'https://LOGIN.example.com/' })
  assert.equal(spelled.identityProvider?.issuer, 'https://login.example.com')
  assert.equal(readConfig({}).identityProvider, undefined)
  assert.doesNotMatch(JSON.stringify(showConfig(readConfig(provider))), /qq/)
  const wrong = (change: Record<string, string>, says: RegExp) =>
    assert.match(mistakes({ ...provider, ...change })[0] ?? '', says)
  wrong({ FERIA_OIDC_ISSUER: '' }, /^FERIA_OIDC_ISSUER: required with FERIA_OIDC_CLIENT_ID/)
  wrong({ FERIA_OIDC_ISSUER: 'login.example.com' }, /^FERIA_OIDC_ISSUER: expected an address/)
  wrong({ FERIA_OIDC_ISSUER: 'http://login.example.com' }, /^FERIA_OIDC_ISSUER: expected https/)
  wrong({ FERIA_OIDC_ISSUER: 'https://login.example.com/?a=b' }, /expected no query/)
  wrong({ FERIA_OIDC_CLIENT_SECRET: '' }, /^FERIA_OIDC_CLIENT_SECRET: required/)
  wrong(production, /^FERIA_PUBLIC_URL: required with FERIA_OIDC_ISSUER/)
  assert.deepEqual(mistakes({ ...provider, FERIA_OIDC_ISSUER: 'http://127.0.0.1:4000' }), [])
})

test('a configuration can not be changed, in no part of it', () => {
  const config = readConfig({ TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' })
  const visit = (value: object): void => {
    assert.ok(Object.isFrozen(value))
    for (const part of Object.values(value)) if (part && typeof part === 'object') visit(part)
  }
  visit(config)
})

test('every setting is read: a value of its own makes another configuration', () => {
  const other: Record<keyof typeof settings, string> = {
    PORT: '1',
    FERIA_WORK_PORT: '2',
    FERIA_METRICS_PORT: '3',
    HOST: '::1',
    DATABASE_URL: 'postgres://u@h/d',
    DATABASE_POOL: '3',
    FERIA_READ_DEADLINE_MS: '20',
    FERIA_QUEUE_WAIT_MS: '400',
    FERIA_DATA: '/elsewhere',
    FERIA_S3_BUCKET: 'another',
    FERIA_S3_REGION: 'sa-east-1',
    FERIA_S3_ENDPOINT: 'https://s3.example.com',
    FERIA_S3_ACCESS_KEY_ID: 'another',
    FERIA_S3_SECRET_ACCESS_KEY: 'another',
    FERIA_S3_PATH_STYLE: 'on',
    FERIA_MODE: 'production',
    FERIA_DEMO: 'off',
    FERIA_OPERATOR_TOKEN: 'another-token-than-that',
    FERIA_OIDC_ISSUER: 'https://login.example.net',
    FERIA_OIDC_CLIENT_ID: 'another',
    FERIA_OIDC_CLIENT_SECRET: 'another',
    FERIA_OIDC_NAME: 'Example',
    FERIA_PUBLIC_URL: 'https://example.com/',
    FERIA_ALLOWED_HOSTS: 'a.example, 192.0.2.1',
    FERIA_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1',
    TLS_CERT_FILE: 'cert.pem',
    TLS_KEY_FILE: 'key.pem',
    FERIA_BODY_LIMIT_KB: '2',
    FERIA_UNATTACHED_MB: '26',
    FERIA_UNATTACHED_PER_USER_MB: '25',
    FERIA_RATE_PER_MINUTE: '3',
    FERIA_REFRESH_GRACE_SECONDS: '0',
    FERIA_SHUTDOWN_SECONDS: '4',
    FERIA_DELIVERY_TIMEOUT_SECONDS: '5',
    FERIA_DELIVERY_RETRY_HOURS: '6',
    FERIA_DELIVERY_ATTEMPTS: '7',
    FERIA_DELIVERY_IN_FLIGHT: '8',
    FERIA_DELIVERY_CONNECTIONS: '500',
    FERIA_DELIVERY_DISABLE_HOURS: '9',
    FERIA_DELIVERY_COALESCE: 'on',
    FERIA_PRIVATE_CALLBACKS: 'off',
    FERIA_STRICT: 'on',
    FERIA_GUIDE_CAPS: 'OTHER=2',
    FERIA_RELAY_DOMAIN: 'mail.example.com',
    FERIA_SEARCH_FACTORS: 'reputation=0',
    FERIA_LEARNING_TITLES: '5',
    FERIA_LEARNING_HALVING_DAYS: '30',
    FERIA_HISTORY_DAYS: '8',
    FERIA_AUDIT_DAYS: '400',
    FERIA_JOB_RESULT_DAYS: '3',
    FERIA_LOG_LEVEL: 'warn',
  }
  const base = {
    FERIA_OPERATOR_TOKEN: token,
    FERIA_S3_BUCKET: 'files',
    FERIA_S3_ACCESS_KEY_ID: 'key',
    FERIA_S3_SECRET_ACCESS_KEY: 'secret',
    FERIA_OIDC_ISSUER: 'https://login.example.com',
    FERIA_OIDC_CLIENT_ID: 'feria',
    FERIA_OIDC_CLIENT_SECRET: 'secret',
    FERIA_PUBLIC_URL: 'https://feria.example',
  }
  const usual = JSON.stringify(readConfig(base))
  for (const [name, value] of Object.entries(other)) {
    const pair = name.startsWith('TLS_') ? { TLS_CERT_FILE: 'x', TLS_KEY_FILE: 'x' } : {}
    const changed = JSON.stringify(readConfig({ ...base, ...pair, [name]: value }))
    assert.notEqual(changed, usual, name)
    if (name.startsWith('TLS_')) assert.ok(changed.includes(value), name)
  }
})
