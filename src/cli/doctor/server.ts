import type { Config } from '../../platform/config.ts'
import { type ApiClient, RequestRefused } from '../client/client.ts'
import { TlsFailure } from '../client/connection.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'
import { isPortFree } from './machine.ts'

const timeoutMs = 5_000

type Ask = (path: '/health/ready' | '/operator/clock') => Promise<unknown>

/** Checks the server that these settings describe. If none answers, checks whether its port is free. */
export async function checkServer(
  config: Config,
  { client, version }: { client: ApiClient; version: string },
): Promise<CheckResult[]> {
  const ask: Ask = (path) => client.call('GET', path, { signal: AbortSignal.timeout(timeoutMs) })
  const document = await client
    .readOpenApi({ signal: AbortSignal.timeout(timeoutMs) })
    .catch((error: unknown) => {
      if (error instanceof TlsFailure) return error
      return undefined
    })
  if (document instanceof TlsFailure) return [tlsProblem(document)]
  if (document?.info?.title !== 'Feria') return [await checkPort(config, client.address)]
  const running = `Feria ${document.info.version} answers at ${client.address}`
  return [
    document.info.version === version
      ? okResult('server', running)
      : warning(
          'server',
          `${running}, this program is ${version}`,
          'Run the same version everywhere.',
        ),
    await checkReady(ask),
    await checkOperator(ask),
    await checkProxies(config, client),
  ]
}

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
function tlsProblem({ message }: TlsFailure): CheckResult {
  const [says = '', ...advice] = message.split('\n')
  return problem('server', says, advice.join(' '))
}

/** Checks whether a start could use the port, when no server answers. */
async function checkPort(config: Config, address: string): Promise<CheckResult> {
  const { host, port } = config.http
  if (await isPortFree(config)) {
    const which = port === 0 ? 'any free port' : `port ${port}, which is free,`
    return okResult(
      'server',
      `no server answers at ${address}; feria start would use ${which} on ${host}`,
    )
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
