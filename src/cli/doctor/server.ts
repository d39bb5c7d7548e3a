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
  ]
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
