import type { Config } from '../../platform/config.ts'
import { type ApiClient, RequestRefused } from '../client/client.ts'
import { TlsFailure } from '../client/connection.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'
import { findLocalFeria, type LocalFeria, openLocalTlsClient } from './local-server.ts'
import { isPortFree } from './machine.ts'

const timeoutMs = 5_000

type Ask = (path: '/health/ready' | '/operator/clock') => Promise<unknown>

/** Checks the server that these settings describe. If none answers, checks whether its port is free. */
export async function checkServer(
  config: Config,
  { client, version }: { client: ApiClient; version: string },
): Promise<CheckResult[]> {
  const atAddress = await findFeria(client)
  if ('version' in atAddress) {
    return checkRunning(config, client, judgeVersion(atAddress.version, { client, version }))
  }
  const { tls, port } = config.http
  const feria = port === 0 ? undefined : await findLocalFeria(config)
  if (feria && feria.isSecure !== (tls !== undefined)) return [otherScheme(feria)]
  if (tls && feria) {
    const local = await openLocalTlsClient(config, tls).catch(ignoreUnreadable)
    const atLocalPort = local ? await findFeria(local) : undefined
    if (local && atLocalPort && 'version' in atLocalPort) {
      const here = judgeVersion(atLocalPort.version, { client: local, version })
      const [reached = '', ...advice] = atAddress.failure.message.split('\n')
      const says = `${here.says}, but commands call ${client.address}: ${reached}`
      const next = `Let FERIA_PUBLIC_URL lead to this process with a certificate that this machine trusts, or give commands --server. ${advice.join(' ')}`
      return checkRunning(config, local, warning('server', says, next.trim()))
    }
    if (atLocalPort && 'failure' in atLocalPort && atLocalPort.failure instanceof TlsFailure) {
      return [
        tlsProblem(
          atLocalPort.failure,
          'If TLS_CERT_FILE was renewed, restart the server: it reads the file when it starts.',
        ),
      ]
    }
  }
  if (atAddress.failure instanceof TlsFailure) return [tlsProblem(atAddress.failure)]
  return [await checkPort(config, { address: client.address, feria })]
}

/** A server that speaks TLS although these settings do not say so, or the other way round. */
function otherScheme({ isSecure, version, address }: LocalFeria): CheckResult {
  const difference = isSecure ? 'HTTPS, but TLS_CERT_FILE is not' : 'HTTP, but TLS_CERT_FILE is'
  return problem(
    'server',
    `Feria ${version} answers at ${address} over ${difference} set here`,
    'Run feria doctor with the environment of the server, or restart the server with this one.',
  )
}

/** Returns the version of the Feria at the client's address, or why there is none. */
async function findFeria(client: ApiClient): Promise<{ version: string } | { failure: Error }> {
  try {
    const { info } = await client.readOpenApi({ signal: AbortSignal.timeout(timeoutMs) })
    if (info?.title === 'Feria') return { version: info.version }
  } catch (error) {
    return { failure: error as Error }
  }
  return { failure: new Error(`another service answers at ${client.address}`) }
}

/** Checks a server that answers. `found` is the result of looking for it. */
async function checkRunning(
  config: Config,
  client: ApiClient,
  found: CheckResult,
): Promise<CheckResult[]> {
  const ask: Ask = (path) => client.call('GET', path, { signal: AbortSignal.timeout(timeoutMs) })
  return [
    found,
    await checkReady(ask),
    await checkOperator(ask),
    await checkProxies(config, client),
  ]
}

function judgeVersion(
  running: string,
  { client, version }: { client: ApiClient; version: string },
): CheckResult {
  const says = `Feria ${running} answers at ${client.address}`
  if (running === version) return okResult('server', says)
  const advice = 'Run the same version everywhere.'
  return warning('server', `${says}, this program is ${version}`, advice)
}

/** The certificate cannot be read. A start says so; here it only means that the server cannot be recognized by it. */
const ignoreUnreadable = () => undefined

/** Checks whether the server trusts the proxies in front of it. */
async function checkProxies(config: Config, client: ApiClient): Promise<CheckResult> {
  try {
    const answer = await client.request('GET', '/metrics', {
      signal: AbortSignal.timeout(timeoutMs),
    })
    return judgeProxies(config, await answer.text())
  } catch (error) {
    const advice = 'Let this machine read /metrics, which counts requests of untrusted proxies.'
    return warning('proxies', (error as Error).message, advice)
  }
}

/** Judges the trusted proxies by the metrics of the server, in the text format of Prometheus. */
export function judgeProxies({ http: { trustedProxies } }: Config, metrics: string): CheckResult {
  const name = 'proxies'
  const count = Number(/^feria_untrusted_forwarding_total (\d+)$/m.exec(metrics)?.[1] ?? 0)
  if (count > 0) {
    const says = `${count} request(s) came through a proxy that the server does not trust: all clients behind it share the limits of one address`
    const advice =
      'Set FERIA_TRUSTED_PROXIES to the address of the proxy and restart the server. Without a proxy, ignore this: clients may send X-Forwarded-For, too.'
    return warning(name, says, advice)
  }
  if (trustedProxies.length === 0)
    return okResult(name, 'none is trusted, and no request named one')
  return okResult(name, `trusted: ${trustedProxies.join(', ')}`)
}

/** The first line of the message is the finding, the others are the next step. */
function tlsProblem({ message }: TlsFailure, furtherAdvice = ''): CheckResult {
  const [says = '', ...advice] = message.split('\n')
  return problem('server', says, [...advice, furtherAdvice].join(' ').trim())
}

/** Checks whether a start could use the port, when no server answers. */
async function checkPort(
  config: Config,
  { address, feria }: { address: string; feria: LocalFeria | undefined },
): Promise<CheckResult> {
  const { host, port } = config.http
  if (await isPortFree(config)) {
    const which = port === 0 ? 'any free port' : `port ${port}, which is free,`
    return okResult(
      'server',
      `no server answers at ${address}; feria start would use ${which} on ${host}`,
    )
  }
  if (feria) {
    const says = `Feria ${feria.version} has port ${port} on ${host}, but did not answer within ${timeoutMs / 1_000} seconds`
    return problem('server', says, 'See the log of the server. Run feria doctor again.')
  }
  const says = `port ${port} on ${host} is taken by another program, or by a Feria that hangs`
  return problem(
    'server',
    says,
    `Find the program: ss -ltnp "sport = :${port}". Or set PORT to another port.`,
  )
}

async function checkReady(ask: Ask): Promise<CheckResult> {
  try {
    await ask('/health/ready')
    return okResult('readiness', 'the server reaches its database')
  } catch (error) {
    const advice = 'See the log of the server, and the check of the database below.'
    return problem('readiness', (error as Error).message, advice)
  }
}

/** Checks that the server accepts the operator token of this environment, by a cheap read that needs it. */
async function checkOperator(ask: Ask): Promise<CheckResult> {
  try {
    await ask('/operator/clock')
    return okResult('server’s settings', 'the server takes the operator token of this environment')
  } catch (error) {
    const says = (error as Error).message
    if (!(error instanceof RequestRefused && error.status === 401))
      return problem('server’s settings', says, 'See the log of the server.')
    const advice = 'Set FERIA_OPERATOR_TOKEN to the token that the server was started with.'
    return problem('server’s settings', says, advice)
  }
}
