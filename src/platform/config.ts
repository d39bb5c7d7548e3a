import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type GuideCaps, guideOptions } from '../kernel/guide-options.ts'
import { maxFactorDays, type SearchFactors, searchFactors } from '../kernel/search-factors.ts'
import { isLoopback } from './loopback.ts'
import { type SettingName, settings } from './settings.ts'

/** A bucket of an S3-compatible store. */
export type S3Settings = Readonly<{
  bucket: string
  region: string
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
}>

/** The OpenID Connect provider with which operators sign in. */
export type IdentityProviderSettings = Readonly<{
  issuer: string
  clientId: string
  clientSecret: string
  /** The name by which the sign-in page shows it. */
  name: string
}>

export type Config = Readonly<{
  mode: 'sandbox' | 'production'
  http: Readonly<{
    host: string
    port: number
    /** Port for health and metrics of a worker. Undefined for none. */
    workPort: number | undefined
    /** Port on which a server answers `/metrics` without a token. Undefined for none. */
    metricsPort: number | undefined
    publicUrl: string | undefined
    /** Accepted names and addresses besides the host of `publicUrl`, in lower case. */
    allowedHosts: readonly string[]
    /** Addresses and ranges of proxies whose forwarding headers are trusted. */
    trustedProxies: readonly string[]
    tls: Readonly<{ certFile: string; keyFile: string }> | undefined
    bodyLimitBytes: number
    ratePerMinute: number
    /** Longest wait of a request in admission control. */
    queueWaitMs: number
    /** Whether every request is strict, as with `X-Feria-Strict: true`. */
    isStrict: boolean
  }>
  database: Readonly<{ url: string | undefined; poolSize: number; readDeadlineMs: number }>
  dataDirectory: string
  files: Readonly<{
    s3: S3Settings | undefined
    /** Limits of uploaded files that are attached to no message, in bytes. */
    unattached: Readonly<{ inAll: number; perUser: number }>
  }>
  demo: boolean
  operatorToken: string
  identityProvider: IdentityProviderSettings | undefined
  delivery: Readonly<{
    timeoutMs: number
    retryHours: number
    attempts: number
    inFlight: number
    connections: number
    disableHours: number
    coalesces: boolean
    allowPrivateAddresses: boolean
  }>
  tokens: Readonly<{ refreshGraceMs: number }>
  messages: Readonly<{ guideCaps: GuideCaps; relayDomain: string }>
  search: Readonly<{ factors: SearchFactors }>
  learning: Readonly<{ titlesADay: number; halvingDays: number }>
  /** Days for which entries of the audit log are kept. */
  auditDays: number
  historyDays: number
  jobResultDays: number
  shutdownMs: number
  logLevel: string
}>

/** The settings are invalid. The message lists every error. */
export class ConfigFailure extends Error {
  override name = 'ConfigFailure'
}

const mib = 1024 * 1024

export const sandboxOperatorToken = 'feria-sandbox-operator'

/** Reads and checks the settings. Throws `ConfigFailure` with every error. Commands that serve no requests set
 * `needsOperatorToken` to false: then the token may be missing in production. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  { needsOperatorToken = true }: { needsOperatorToken?: boolean } = {},
): Config {
  const wrong: string[] = []
  const text = (name: SettingName) => env[name]?.trim() || settings[name].default
  const whole = (name: SettingName, range: { from: number; to: number }): number => {
    const value = /^\d{1,15}$/.test(text(name)) ? Number(text(name)) : Number.NaN
    if (value >= range.from && value <= range.to) return value
    wrong.push(
      `${name}: expected a whole number from ${range.from} to ${range.to}, got "${text(name)}"`,
    )
    return range.from
  }
  const oneOf = <T extends string>(name: SettingName, values: readonly T[], value: string): T => {
    if ((values as readonly string[]).includes(value)) return value as T
    wrong.push(`${name}: expected ${values.join(' or ')}, got "${value}"`)
    return values[0] as T
  }
  const onOff = (name: SettingName) => oneOf(name, ['on', 'off'], text(name)) === 'on'
  // Returns undefined for an empty setting and for a wrong one. The message does not quote the value: a database URL
  // can hold a password.
  const url = (name: SettingName, protocols: string[]): string | undefined => {
    if (!text(name)) return undefined
    if (URL.canParse(text(name)) && protocols.includes(new URL(text(name)).protocol))
      return text(name)
    wrong.push(
      `${name}: expected an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )
    return undefined
  }

  const readS3 = (): S3Settings | undefined => {
    const bucket = text('FERIA_S3_BUCKET')
    if (!bucket) {
      const others = Object.keys(settings).filter((name) => /^FERIA_S3_/.test(name) && env[name])
      if (others.length > 0) wrong.push(`FERIA_S3_BUCKET: required with ${others.join(', ')}`)
      return undefined
    }
    for (const name of ['FERIA_S3_ACCESS_KEY_ID', 'FERIA_S3_SECRET_ACCESS_KEY'] as const) {
      if (!text(name)) wrong.push(`${name}: required with FERIA_S3_BUCKET`)
    }
    const endpoint = url('FERIA_S3_ENDPOINT', ['http:', 'https:'])?.replace(/\/+$/, '')
    const pathStyle = text('FERIA_S3_PATH_STYLE') || (endpoint ? 'on' : 'off')
    return {
      bucket,
      region: text('FERIA_S3_REGION'),
      endpoint,
      accessKeyId: text('FERIA_S3_ACCESS_KEY_ID'),
      secretAccessKey: text('FERIA_S3_SECRET_ACCESS_KEY'),
      pathStyle: oneOf('FERIA_S3_PATH_STYLE', ['on', 'off'], pathStyle) === 'on',
    }
  }

  const readIdentityProvider = (): IdentityProviderSettings | undefined => {
    const issuer = url('FERIA_OIDC_ISSUER', ['http:', 'https:'])
    if (issuer === undefined) {
      const others = Object.keys(settings).filter((name) => /^FERIA_OIDC_/.test(name) && env[name])
      if (others.length > 0 && !text('FERIA_OIDC_ISSUER')) {
        wrong.push(`FERIA_OIDC_ISSUER: required with ${others.join(', ')}`)
      }
      return undefined
    }
    const { protocol, hostname, origin, pathname, search, hash, username, href } = new URL(issuer)
    if (protocol === 'http:' && !isLoopback(hostname)) {
      wrong.push('FERIA_OIDC_ISSUER: expected https, except for a provider on this machine')
    }
    if (search !== '' || hash !== '' || username !== '') {
      wrong.push('FERIA_OIDC_ISSUER: expected no query, fragment or user name')
    }
    for (const name of ['FERIA_OIDC_CLIENT_ID', 'FERIA_OIDC_CLIENT_SECRET'] as const) {
      if (!text(name)) wrong.push(`${name}: required with FERIA_OIDC_ISSUER`)
    }
    if (mode === 'production' && !text('FERIA_PUBLIC_URL')) {
      wrong.push(
        'FERIA_PUBLIC_URL: required with FERIA_OIDC_ISSUER in production, because the provider sends browsers back to it',
      )
    }
    return {
      // Two spellings of one issuer must find the same accounts.
      issuer: pathname === '/' ? origin : href,
      clientId: text('FERIA_OIDC_CLIENT_ID'),
      clientSecret: text('FERIA_OIDC_CLIENT_SECRET'),
      name: text('FERIA_OIDC_NAME') || hostname,
    }
  }

  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const defaultMode = text('DATABASE_URL') ? 'production' : 'sandbox'
  const mode = oneOf('FERIA_MODE', ['sandbox', 'production'], text('FERIA_MODE') || defaultMode)
  const host = text('HOST')
  const operatorToken =
    text('FERIA_OPERATOR_TOKEN') || (mode === 'sandbox' ? sandboxOperatorToken : '')
  const mayLackToken = operatorToken === '' && !needsOperatorToken
  if (operatorToken.length < 16 && !mayLackToken) {
    wrong.push(
      operatorToken === ''
        ? 'FERIA_OPERATOR_TOKEN: required in production, at least 16 characters (or set FERIA_MODE=sandbox to try things out on this database)'
        : 'FERIA_OPERATOR_TOKEN: expected at least 16 characters',
    )
  }
  if (mode === 'production' && operatorToken === sandboxOperatorToken) {
    wrong.push('FERIA_OPERATOR_TOKEN: expected another token than the default of every sandbox')
  }
  const isDefaultToken = operatorToken === sandboxOperatorToken && needsOperatorToken
  if (mode === 'sandbox' && !isLoopback(host) && isDefaultToken) {
    wrong.push(
      `FERIA_OPERATOR_TOKEN: required for a sandbox that listens beyond this machine (HOST is ${host}), because the default token is public`,
    )
  }
  const certFile = text('TLS_CERT_FILE')
  const keyFile = text('TLS_KEY_FILE')
  if ((certFile === '') !== (keyFile === '')) {
    wrong.push('TLS_CERT_FILE and TLS_KEY_FILE: expected both or neither')
  }

  const list = (name: SettingName) =>
    text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  const trustedProxies = list('FERIA_TRUSTED_PROXIES')
  for (const proxy of trustedProxies) {
    if (ipaddr.isValid(proxy) || ipaddr.isValidCIDR(proxy)) continue
    wrong.push(
      `FERIA_TRUSTED_PROXIES: expected addresses or ranges such as 10.0.0.0/8, got "${proxy}"`,
    )
  }
  const allowedHosts = list('FERIA_ALLOWED_HOSTS').map((name) => name.toLowerCase())
  for (const name of allowedHosts) {
    if (ipaddr.isValid(name) || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) continue
    wrong.push(
      `FERIA_ALLOWED_HOSTS: expected hosts without a port such as feria.example, got "${name}"`,
    )
  }
  const metricsPort = text('FERIA_METRICS_PORT')
    ? whole('FERIA_METRICS_PORT', { from: 1, to: 65_535 })
    : undefined
  if (text('FERIA_METRICS_PORT') && text('FERIA_METRICS_PORT') === text('PORT')) {
    wrong.push('FERIA_METRICS_PORT: expected another port than PORT')
  }
  const defaultPrivate = mode === 'sandbox' && isLoopback(host) ? 'on' : 'off'
  const allowPrivateAddresses =
    oneOf(
      'FERIA_PRIVATE_CALLBACKS',
      ['on', 'off'],
      text('FERIA_PRIVATE_CALLBACKS') || defaultPrivate,
    ) === 'on'
  if (mode === 'production' && allowPrivateAddresses) {
    wrong.push('FERIA_PRIVATE_CALLBACKS: expected off in production')
  }

  const guideCaps = pairsOf(text('FERIA_GUIDE_CAPS'), guideOptions)
  if (!guideCaps) {
    wrong.push(
      `FERIA_GUIDE_CAPS: expected pairs such as OTHER=1,REQUEST_VARIANTS=20 of ${guideOptions.join(', ')}`,
    )
  }

  const factors = pairsOf(text('FERIA_SEARCH_FACTORS'), searchFactors)
  const areDays = factors?.every(([, days]) => days <= maxFactorDays) && !hasRepeats(factors)
  if (!areDays) {
    wrong.push(
      `FERIA_SEARCH_FACTORS: expected pairs such as sales=30,reputation=0 of ${searchFactors.join(', ')}, each at most once and with whole days from 0 to ${maxFactorDays}, got "${text('FERIA_SEARCH_FACTORS')}"`,
    )
  }

  const config: Config = {
    mode,
    http: {
      host,
      port: whole('PORT', { from: 0, to: 65_535 }),
      workPort: text('FERIA_WORK_PORT')
        ? whole('FERIA_WORK_PORT', { from: 0, to: 65_535 })
        : undefined,
      metricsPort,
      publicUrl: url('FERIA_PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
      allowedHosts,
      trustedProxies,
      tls: certFile && keyFile ? { certFile, keyFile } : undefined,
      bodyLimitBytes: whole('FERIA_BODY_LIMIT_KB', { from: 1, to: 102_400 }) * 1024,
      ratePerMinute: whole('FERIA_RATE_PER_MINUTE', { from: 1, to: 100_000_000 }),
      queueWaitMs: whole('FERIA_QUEUE_WAIT_MS', { from: 10, to: 60_000 }),
      isStrict: onOff('FERIA_STRICT'),
    },
    database: {
      url: databaseUrl,
      poolSize: whole('DATABASE_POOL', { from: 2, to: 1_000 }),
      readDeadlineMs: whole('FERIA_READ_DEADLINE_MS', { from: 10, to: 15_000 }),
    },
    dataDirectory: resolve(text('FERIA_DATA')),
    files: {
      s3: readS3(),
      unattached: {
        inAll: whole('FERIA_UNATTACHED_MB', { from: 25, to: 1_000_000_000 }) * mib,
        perUser: whole('FERIA_UNATTACHED_PER_USER_MB', { from: 25, to: 1_000_000_000 }) * mib,
      },
    },
    demo: onOff('FERIA_DEMO') && mode === 'sandbox',
    operatorToken,
    identityProvider: readIdentityProvider(),
    delivery: {
      timeoutMs: whole('FERIA_DELIVERY_TIMEOUT_SECONDS', { from: 1, to: 120 }) * 1000,
      retryHours: whole('FERIA_DELIVERY_RETRY_HOURS', { from: 1, to: 168 }),
      attempts: whole('FERIA_DELIVERY_ATTEMPTS', { from: 1, to: 100 }),
      inFlight: whole('FERIA_DELIVERY_IN_FLIGHT', { from: 1, to: 100 }),
      connections: whole('FERIA_DELIVERY_CONNECTIONS', { from: 1, to: 1_000_000 }),
      disableHours: whole('FERIA_DELIVERY_DISABLE_HOURS', { from: 1, to: 8_760 }),
      coalesces: onOff('FERIA_DELIVERY_COALESCE'),
      allowPrivateAddresses,
    },
    tokens: {
      refreshGraceMs: whole('FERIA_REFRESH_GRACE_SECONDS', { from: 0, to: 300 }) * 1000,
    },
    messages: {
      guideCaps: withDefaults('FERIA_GUIDE_CAPS', { names: guideOptions, pairs: guideCaps }),
      relayDomain: text('FERIA_RELAY_DOMAIN').toLowerCase(),
    },
    search: {
      factors: withDefaults('FERIA_SEARCH_FACTORS', { names: searchFactors, pairs: factors }),
    },
    learning: {
      titlesADay: whole('FERIA_LEARNING_TITLES', { from: 0, to: 1_000_000 }),
      halvingDays: whole('FERIA_LEARNING_HALVING_DAYS', { from: 1, to: 3_650 }),
    },
    auditDays: whole('FERIA_AUDIT_DAYS', { from: 30, to: 3_650 }),
    historyDays: whole('FERIA_HISTORY_DAYS', { from: 3, to: 3_650 }),
    jobResultDays: whole('FERIA_JOB_RESULT_DAYS', { from: 1, to: 3_650 }),
    shutdownMs: whole('FERIA_SHUTDOWN_SECONDS', { from: 1, to: 600 }) * 1000,
    logLevel: oneOf(
      'FERIA_LOG_LEVEL',
      ['info', 'debug', 'warn', 'error', 'silent'],
      text('FERIA_LOG_LEVEL'),
    ),
  }
  if (wrong.length > 0) throw new ConfigFailure(`The settings are wrong:\n  ${wrong.join('\n  ')}`)
  return deepFreeze(config)
}

/** Names with their numbers, in the order of the text. */
type Pairs<Name extends string> = readonly (readonly [Name, number])[]

/** Parses pairs such as `OTHER=1,SEND_INVOICE_LINK=2` of these names. Returns undefined for any other text. */
function pairsOf<Name extends string>(
  text: string,
  names: readonly Name[],
): Pairs<Name> | undefined {
  const pairs = text.split(',').map((pair) => {
    const [, written, number] = /^ *([A-Za-z_]+) *= *(\d{1,4}) *$/.exec(pair) ?? []
    const name = names.find((known) => known === written)
    return name && ([name, Number(number)] as const)
  })
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined
}

function hasRepeats(pairs: Pairs<string>): boolean {
  return new Set(pairs.map(([name]) => name)).size < pairs.length
}

/** Returns the numbers of a setting by name. Names that `pairs` leaves out have their defaults. */
function withDefaults<Name extends string>(
  setting: SettingName,
  { names, pairs = [] }: { names: readonly Name[]; pairs: Pairs<Name> | undefined },
): Readonly<Record<Name, number>> {
  const defaults = pairsOf(settings[setting].default, names) ?? []
  return Object.fromEntries([...defaults, ...pairs]) as Record<Name, number>
}

/** Returns the settings for display, with `***` in place of secrets and of the password in the database URL. */
export function showConfig(config: Config): object {
  const url = config.database.url && withoutPassword(config.database.url)
  const { s3 } = config.files
  const files = s3 ? { ...config.files, s3: { ...s3, secretAccessKey: '***' } } : config.files
  const identityProvider = config.identityProvider && {
    ...config.identityProvider,
    clientSecret: '***',
  }
  const database = { ...config.database, url }
  return { ...config, operatorToken: '***', identityProvider, database, files }
}

function withoutPassword(address: string): string {
  const url = new URL(address)
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part && typeof part === 'object') deepFreeze(part)
  return Object.freeze(value)
}
