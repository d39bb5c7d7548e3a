import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type GuideCaps, guideOptions } from '../kernel/guide-options.ts'
import { isLoopback } from './loopback.ts'
import { type SettingName, settings } from './settings.ts'

/** A bucket of a store that speaks S3. */
export type S3Settings = Readonly<{
  bucket: string
  region: string
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
}>

export type Config = Readonly<{
  mode: 'sandbox' | 'production'
  http: Readonly<{
    host: string
    port: number
    /** Where one that only works tells how it is; undefined for nowhere. */
    workPort: number | undefined
    /** Where one that serves answers `/metrics` without a token; undefined for nowhere. */
    metricsPort: number | undefined
    publicUrl: string | undefined
    /** Names and addresses in lower case, beside the host of `publicUrl`. */
    allowedHosts: readonly string[]
    /** Addresses and ranges whose word on who asks is believed. */
    trustedProxies: readonly string[]
    tls: Readonly<{ certFile: string; keyFile: string }> | undefined
    bodyLimitBytes: number
    ratePerMinute: number
    /** How long a request may wait for its turn at the database. */
    queueWaitMs: number
    /** Integrators are refused what is otherwise accepted or ignored. */
    isStrict: boolean
  }>
  database: Readonly<{ url: string | undefined; poolSize: number; readDeadlineMs: number }>
  dataDirectory: string
  files: Readonly<{
    s3: S3Settings | undefined
    /** Room for files that are attached to no message, in bytes. */
    unattached: Readonly<{ inAll: number; perUser: number }>
  }>
  demo: boolean
  operatorToken: string
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
  learning: Readonly<{ titlesADay: number; halvingDays: number }>
  historyDays: number
  shutdownMs: number
  logLevel: string
}>

/** The environment was wrong; the message lists every mistake. */
export class ConfigFailure extends Error {
  override name = 'ConfigFailure'
}

const mib = 1024 * 1024

export const sandboxOperatorToken = 'feria-sandbox-operator'

/** Reads the settings. Throws `ConfigFailure` with all that is wrong, not just the first. Without
 * `needsOperatorToken` the token may be missing in production: for commands that answer no requests. */
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
      const lone = Object.keys(settings).filter((name) => /^FERIA_S3_/.test(name) && env[name])
      if (lone.length > 0) wrong.push(`FERIA_S3_BUCKET: required with ${lone.join(', ')}`)
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

  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const usual = text('DATABASE_URL') ? 'production' : 'sandbox'
  const mode = oneOf('FERIA_MODE', ['sandbox', 'production'], text('FERIA_MODE') || usual)
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
    wrong.push('FERIA_OPERATOR_TOKEN: expected one other than the one that every sandbox has')
  }
  const isKnownToken = operatorToken === sandboxOperatorToken && needsOperatorToken
  if (mode === 'sandbox' && !isLoopback(host) && isKnownToken) {
    wrong.push(
      `FERIA_OPERATOR_TOKEN: required for a sandbox that listens beyond this machine (HOST is ${host}): everybody knows the usual one, so whoever reached the port would be the operator`,
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
      .map((each) => each.trim())
      .filter((each) => each !== '')
  const trustedProxies = list('FERIA_TRUSTED_PROXIES')
  for (const each of trustedProxies) {
    if (ipaddr.isValid(each) || ipaddr.isValidCIDR(each)) continue
    wrong.push(
      `FERIA_TRUSTED_PROXIES: expected addresses or ranges such as 10.0.0.0/8, got "${each}"`,
    )
  }
  const allowedHosts = list('FERIA_ALLOWED_HOSTS').map((each) => each.toLowerCase())
  for (const each of allowedHosts) {
    if (ipaddr.isValid(each) || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(each)) continue
    wrong.push(
      `FERIA_ALLOWED_HOSTS: expected hosts without a port such as feria.example, got "${each}"`,
    )
  }
  const metricsPort = text('FERIA_METRICS_PORT')
    ? whole('FERIA_METRICS_PORT', { from: 1, to: 65_535 })
    : undefined
  if (text('FERIA_METRICS_PORT') && text('FERIA_METRICS_PORT') === text('PORT')) {
    wrong.push('FERIA_METRICS_PORT: expected another port than PORT')
  }
  const usualPrivate = mode === 'sandbox' && isLoopback(host) ? 'on' : 'off'
  const allowPrivateAddresses =
    oneOf(
      'FERIA_PRIVATE_CALLBACKS',
      ['on', 'off'],
      text('FERIA_PRIVATE_CALLBACKS') || usualPrivate,
    ) === 'on'
  if (mode === 'production' && allowPrivateAddresses) {
    wrong.push('FERIA_PRIVATE_CALLBACKS: expected off in production')
  }

  const guideCaps = capsOf(text('FERIA_GUIDE_CAPS'))
  if (!guideCaps) {
    wrong.push(
      `FERIA_GUIDE_CAPS: expected pairs such as OTHER=1,REQUEST_VARIANTS=20 of ${guideOptions.join(', ')}`,
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
      guideCaps: { ...capsOf(settings.FERIA_GUIDE_CAPS.default), ...guideCaps } as GuideCaps,
      relayDomain: text('FERIA_RELAY_DOMAIN').toLowerCase(),
    },
    learning: {
      titlesADay: whole('FERIA_LEARNING_TITLES', { from: 0, to: 1_000_000 }),
      halvingDays: whole('FERIA_LEARNING_HALVING_DAYS', { from: 1, to: 3_650 }),
    },
    historyDays: whole('FERIA_HISTORY_DAYS', { from: 3, to: 3_650 }),
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

/** `OTHER=1,SEND_INVOICE_LINK=2`; undefined when it is not written so. */
function capsOf(text: string): Partial<GuideCaps> | undefined {
  const pairs = text.split(',').map((pair) => /^ *([A-Z_]+) *= *(\d{1,4}) *$/.exec(pair))
  const isKnown = (name: string) => (guideOptions as readonly string[]).includes(name)
  if (!pairs.every((pair) => pair && isKnown(pair[1] ?? ''))) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])]))
}

/** The settings as they may be shown: secrets print as `***`, the database's address without its
 * password. */
export function showConfig(config: Config): object {
  const url = config.database.url && withoutPassword(config.database.url)
  const { s3 } = config.files
  const files = s3 ? { ...config.files, s3: { ...s3, secretAccessKey: '***' } } : config.files
  return { ...config, operatorToken: '***', database: { ...config.database, url }, files }
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
