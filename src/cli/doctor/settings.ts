import {
  type Config,
  ConfigFailure,
  readConfig,
  sandboxOperatorToken,
} from '../../platform/config.ts'
import { isLoopback } from '../../platform/loopback.ts'
import { settings } from '../../platform/settings.ts'
import { meant } from '../frame/suggest.ts'
import { type Check, ok, problem, warning } from './check.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What the environment says, and the settings read off it unless they are wrong. */
export function checkSettings(env: Env): { checks: Check[]; config: Config | undefined } {
  const names = checkNames(env)
  try {
    const config = readConfig(env)
    const database = config.database.url ? 'the database of DATABASE_URL' : 'a database of its own'
    const read = ok('settings', `${config.mode}, ${database}, data in ${config.dataDirectory}`)
    return { checks: [read, names, checkToken(config), checkAddress(config)], config }
  } catch (error) {
    if (!(error instanceof ConfigFailure)) throw error
    const wrong = error.message.split('\n').slice(1).join(';').trim().replace(/\s+/g, ' ')
    const advice = 'Set them as docs/configuration.md says; nothing starts before that.'
    return { checks: [problem('settings', wrong, advice), names], config: undefined }
  }
}

/** Names that look like settings and are none. */
function checkNames(env: Env): Check {
  const known = Object.keys(settings)
  const strange = Object.keys(env)
    .filter((name) => /^(FERIA_|DATABASE_(?!URL_)|TLS_(CERT|KEY))/.test(name))
    .filter((name) => !known.includes(name))
    .sort()
  if (strange.length === 0) return ok('names of settings', 'every FERIA_… here is a setting')
  const told = strange.map((name) => `${name} is no setting.${meant(name, known)}`)
  return warning('names of settings', told.join(' '), 'Rename or unset it: it does nothing.')
}

function checkToken({ mode, operatorToken, http }: Config): Check {
  const name = 'operator’s token'
  if (operatorToken === sandboxOperatorToken) {
    const { publicUrl } = http
    if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) {
      return ok(name, 'that of every sandbox, on this machine only')
    }
    const says = `that of every sandbox, and others reach it at ${publicUrl}: whoever does is the operator`
    return warning(name, says, 'Set FERIA_OPERATOR_TOKEN to something long and random.')
  }
  const kinds = new Set(operatorToken).size
  if (mode === 'production' && (operatorToken.length < 24 || kinds < 8)) {
    const says = `short or monotonous: ${operatorToken.length} characters, ${kinds} different ones`
    return warning(name, says, 'Take 32 random ones: openssl rand -hex 16')
  }
  return ok(name, 'one of your own')
}

function checkAddress({ mode, http }: Config): Check {
  const name = 'public address'
  const { publicUrl, host, tls } = http
  if (publicUrl === undefined) {
    if (mode === 'sandbox' || isLoopback(host)) return ok(name, 'where it listens')
    const says = 'FERIA_PUBLIC_URL is not set'
    return warning(name, says, 'Set it to the address under which others reach this service.')
  }
  const url = new URL(publicUrl)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    const says = `${publicUrl} has more than scheme, host and port`
    return warning(name, says, `Set FERIA_PUBLIC_URL to ${url.origin}.`)
  }
  if (mode === 'production' && isLoopback(url.hostname)) {
    const says = `${publicUrl} leads to this very machine, for whoever reads it`
    return warning(name, says, 'Set FERIA_PUBLIC_URL to an address that others reach.')
  }
  if (url.protocol === 'http:' && (mode === 'production' || tls)) {
    const says = `${publicUrl} is not HTTPS, over which access tokens are to travel`
    return warning(name, says, 'Terminate TLS in front, or set TLS_CERT_FILE and TLS_KEY_FILE.')
  }
  return ok(name, publicUrl)
}
