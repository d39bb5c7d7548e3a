import type { Config } from '../../platform/config.ts'
import { type Client, type Json, Refused } from '../client.ts'
import { TlsFailure } from '../connection.ts'
import { type Check, ok, problem, warning } from './check.ts'
import { isPortFree } from './machine.ts'

const boundMs = 5_000

/** The server that these settings describe, if one answers; else whether its port is free. */
export async function checkServer(
  config: Config,
  { client, version }: { client: Client; version: string },
): Promise<Check[]> {
  const ask = (path: string): Promise<Json> =>
    client.call('GET', path, { signal: AbortSignal.timeout(boundMs) })
  const document = await ask('/openapi.json').catch((error: unknown) => {
    if (error instanceof TlsFailure) return error
    return undefined
  })
  if (document instanceof TlsFailure) return [tlsProblem(document)]
  if (document?.info?.title !== 'Feria') return [await checkPort(config, client.address)]
  const runs = `Feria ${document.info.version} answers at ${client.address}`
  return [
    document.info.version === version
      ? ok('server', runs)
      : warning('server', `${runs}, this program is ${version}`, 'Run one version everywhere.'),
    await checkReady(ask),
    await checkOperator(ask),
    await checkProxies(config, client),
  ]
}

/** Whether the server knows the proxies in front of it. */
async function checkProxies(config: Config, client: Client): Promise<Check> {
  try {
    const answer = await client.ask('GET', '/metrics', { signal: AbortSignal.timeout(boundMs) })
    return judgeProxies(config, await answer.text())
  } catch (error) {
    const advice = 'Let this machine read /metrics, which says whether a proxy is not trusted.'
    return warning('proxies', (error as Error).message, advice)
  }
}

/** Reads the figures of a server (`/metrics`). */
export function judgeProxies({ http: { trustedProxies } }: Config, figures: string): Check {
  const name = 'proxies'
  const count = Number(/^feria_untrusted_forwarding_total (\d+)$/m.exec(figures)?.[1] ?? 0)
  if (count > 0) {
    const says = `${count} request(s) named a proxy that they came through, and the server trusts none: everybody behind it shares the limits of one address`
    const advice =
      'Set FERIA_TRUSTED_PROXIES to the address of the proxy and start the server again. Without a proxy there is nothing to do: clients may send X-Forwarded-For too.'
    return warning(name, says, advice)
  }
  if (trustedProxies.length === 0) return ok(name, 'none is trusted, and no request named one')
  return ok(name, `trusted: ${trustedProxies.join(', ')}`)
}

/** The first line of the message says what is wrong, the others what to do. */
function tlsProblem({ message }: TlsFailure): Check {
  const [says = '', ...advice] = message.split('\n')
  return problem('server', says, advice.join(' '))
}

async function checkPort(config: Config, address: string): Promise<Check> {
  const { host, port } = config.http
  if (await isPortFree(config)) {
    const which = port === 0 ? 'any free port' : `port ${port}, which is free,`
    return ok('server', `none answers at ${address}; feria start would take ${which} on ${host}`)
  }
  const says = `port ${port} on ${host} is taken by something else than Feria, or by one that hangs`
  return problem('server', says, `See who has it: ss -ltnp "sport = :${port}". Or set PORT.`)
}

async function checkReady(ask: (path: string) => Promise<Json>): Promise<Check> {
  try {
    await ask('/health/ready')
    return ok('readiness', 'the server reaches its database')
  } catch (error) {
    const advice = 'See its log, and the check of the database below.'
    return problem('readiness', (error as Error).message, advice)
  }
}

async function checkOperator(ask: (path: string) => Promise<Json>): Promise<Check> {
  try {
    await ask('/operator/clock')
    return ok('server’s settings', 'the server takes the operator’s token of this environment')
  } catch (error) {
    const says = (error as Error).message
    if (!(error instanceof Refused)) return problem('server’s settings', says, 'See its log.')
    const advice = 'Set FERIA_OPERATOR_TOKEN to what the server was started with.'
    return problem('server’s settings', says, advice)
  }
}
