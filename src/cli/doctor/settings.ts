import {
  type Config,
  ConfigFailure,
  readConfig,
  sandboxOperatorToken,
} from '../../platform/config.ts'
import { isLoopback } from '../../platform/loopback.ts'
import { settings } from '../../platform/settings.ts'
import { didYouMean } from '../frame/suggest.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Checks the settings in the environment. `config` is undefined if they are wrong. */
export function checkSettings(env: Env): { checks: CheckResult[]; config: Config | undefined } {
  const names = checkNames(env)
  try {
    const config = readConfig(env)
    const database = config.database.url ? 'the database of DATABASE_URL' : 'a database of its own'
    const read = okResult(
      'settings',
      `${config.mode}, ${database}, data in ${config.dataDirectory}`,
    )
    return { checks: [read, names, checkToken(config), checkAddress(config)], config }
  } catch (error) {
    if (!(error instanceof ConfigFailure)) throw error
    const mistakes = error.message.split('\n').slice(1).join(';').trim().replace(/\s+/g, ' ')
    const advice = 'Correct them as docs/configuration.md says. Until then nothing starts.'
    return { checks: [problem('settings', mistakes, advice), names], config: undefined }
  }
}

/** Finds variables that look like settings but are none. */
function checkNames(env: Env): CheckResult {
  const settingNames = Object.keys(settings)
  const unknownNames = Object.keys(env)
    .filter((name) => /^(FERIA_|DATABASE_(?!URL_)|TLS_(CERT|KEY))/.test(name))
    .filter((name) => !settingNames.includes(name))
    .sort()
  if (unknownNames.length === 0)
    return okResult('names of settings', 'every FERIA_… here is a setting')
  const findings = unknownNames.map(
    (name) => `${name} is no setting.${didYouMean(name, settingNames)}`,
  )
  return warning('names of settings', findings.join(' '), 'Rename or unset it: it has no effect.')
}

/** Checks that the operator's token is not the default where others can reach the server. */
function checkToken({ mode, operatorToken, http }: Config): CheckResult {
  const name = 'operator’s token'
  if (operatorToken === sandboxOperatorToken) {
    const { publicUrl } = http
    if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) {
      return okResult(name, 'the default of sandboxes, on this machine only')
    }
    const says = `the default of sandboxes, and others reach it at ${publicUrl}: whoever does is the operator`
    return warning(
      name,
      says,
      'Set FERIA_OPERATOR_TOKEN to a long random text: openssl rand -hex 16',
    )
  }
  const distinctCount = new Set(operatorToken).size
  if (mode === 'production' && (operatorToken.length < 24 || distinctCount < 8)) {
    const says = `short or monotonous: ${operatorToken.length} characters, ${distinctCount} different ones`
    return warning(name, says, 'Use 32 random characters: openssl rand -hex 16')
  }
  return okResult(name, 'one of your own')
}

/** Checks that the public address is set where others need it, and leads to this service. */
function checkAddress({ mode, http }: Config): CheckResult {
  const name = 'public address'
  const { publicUrl, host, tls } = http
  if (publicUrl === undefined) {
    if (mode === 'sandbox' || isLoopback(host)) return okResult(name, 'where it listens')
    const says = 'FERIA_PUBLIC_URL is not set'
    return warning(name, says, 'Set it to the address at which others reach this service.')
  }
  const url = new URL(publicUrl)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    const says = `${publicUrl} has more than scheme, host and port`
    return warning(name, says, `Set FERIA_PUBLIC_URL to ${url.origin}.`)
  }
  if (mode === 'production' && isLoopback(url.hostname)) {
    const says = `${publicUrl} leads every client to its own machine`
    return warning(name, says, 'Set FERIA_PUBLIC_URL to an address that others reach.')
  }
  if (url.protocol === 'http:' && (mode === 'production' || tls)) {
    const says = `${publicUrl} is not HTTPS, and access tokens travel over it`
    return warning(name, says, 'Terminate TLS in front, or set TLS_CERT_FILE and TLS_KEY_FILE.')
  }
  return okResult(name, publicUrl)
}
