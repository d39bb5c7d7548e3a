import type { Config } from '../../platform/config.ts'
import { sqlState } from '../../platform/database/errors.ts'
import { planMigrations, SchemaTooNew } from '../../platform/database/migrate.ts'
import { findRunningServer } from '../../platform/postgres/embedded.ts'
import { openClient } from '../client/client.ts'
import { exitCodes, userMessageOf } from '../frame/failure.ts'
import type { Output } from '../frame/output.ts'
import { version } from '../frame/run.ts'
import { judgeBacklog } from './backlog.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'
import { judgeCluster } from './cluster.ts'
import { connectionsOf, judgeServer } from './database.ts'
import { checkIdentityProvider } from './identity-provider.ts'
import { checkDisk, checkProgram } from './machine.ts'
import { judgeOperatorAccess } from './operator-access.ts'
import { InspectionSession } from './read-model.ts'
import { checkServer } from './server.ts'
import { checkSettings } from './settings.ts'

/** `feria doctor`: runs all checks without changing anything. Returns the exit code, 1 if there is a problem. */
export async function doctorCommand(_options: object, out: Output): Promise<number> {
  const checks = [checkProgram(process.versions.node)]
  const { checks: settingsChecks, config } = checkSettings(process.env)
  checks.push(...settingsChecks)
  if (config) {
    checks.push(await checkDisk(config))
    checks.push(...(await checkIdentityProvider(config)))
    checks.push(...(await checkServer(config, { client: openClient({}), version: version() })))
    checks.push(...(await checkDatabase(config)))
  }
  const count = (state: CheckResult['state']) =>
    checks.filter((check) => check.state === state).length
  const [problems, warnings] = [count('problem'), count('warning')]
  out.printResult({ problems, warnings, checks }, () => [
    ...checks.flatMap((check) => linesOf(check, out)),
    '',
    `${checks.length} checks: ${problems} problem(s), ${warnings} warning(s)`,
  ])
  return problems > 0 ? exitCodes.failed : exitCodes.done
}

function linesOf({ name, state, says, advice }: CheckResult, out: Output): string[] {
  const color = { ok: 'green', warning: 'yellow', problem: 'red' } as const
  const mark = out.paint(color[state], state.padEnd(7))
  return [
    `${mark}  ${name.padEnd(18)}  ${says}`,
    ...(advice ? [`${' '.repeat(29)}→ ${advice}`] : []),
  ]
}

/** Checks the database that the settings name, or the embedded one if it runs. */
async function checkDatabase(config: Config): Promise<CheckResult[]> {
  const { url } = config.database
  try {
    const address = url ?? findRunningServer(config.dataDirectory)
    if (address !== undefined) return await checkReached(config, address)
    const says = 'the embedded database does not run: schema, backlog and clock were not checked'
    return [
      warning('database', says, 'Start it: feria start runs it. Then run feria doctor again.'),
    ]
  } catch (error) {
    const sentence = userMessageOf(error)
    const state = sqlState(error)
    if (sentence === undefined && state !== undefined) {
      const says = `it answers, but refuses a statement (${state}: ${(error as Error).message})`
      return [problem('database', says, 'Report this as a defect, with the version of the server.')]
    }
    return [problem('database', sentence ?? (error as Error).message, adviceFor(sentence, url))]
  }
}

/** Returns the next step for a database that cannot be reached. `sentence` is for the user, if the error has one. */
function adviceFor(sentence: string | undefined, url: string | undefined): string {
  if (url === undefined) return 'See postgres.log in FERIA_DATA.'
  if (!sentence?.startsWith('The certificate of the database')) {
    return 'Start it, or correct DATABASE_URL.'
  }
  const query = '?sslmode=verify-full&sslrootcert=/path/to/authority.pem'
  return `Or append ${query} to DATABASE_URL.`
}

/** Checks a database that can be reached. The backlog is left out if the schema is not up to date or a node is
 * missing. */
async function checkReached(config: Config, url: string): Promise<CheckResult[]> {
  const look = await InspectionSession.open(url)
  try {
    const askedMs = Date.now()
    const facts = await look.server()
    const checks = judgeServer(facts, { config, roundTrip: [askedMs, Date.now()] })
    const cluster = await checkCluster(look, connectionsOf(facts, config))
    checks.push(...cluster)
    const hasProblem = (...names: string[]) =>
      cluster.some(({ name, state }) => state === 'problem' && names.includes(name))
    if (hasProblem('cluster')) return checks
    const schema = await checkSchema(url)
    if (schema.state !== 'ok') return [...checks, schema]
    if (hasProblem('nodes', 'shards')) {
      const says = 'the backlog was not checked: it needs all nodes'
      return [...checks, schema, warning('changes', says, 'Fix the cluster, then run it again.')]
    }
    const context = { config, now: new Date(), processes: facts.processes }
    const access = judgeOperatorAccess(await look.operatorAccess())
    return [...checks, schema, access, ...judgeBacklog(await look.backlog(), context)]
  } finally {
    await look.close().catch(() => {})
  }
}

async function checkCluster(look: InspectionSession, connections: number): Promise<CheckResult[]> {
  const facts = await look.cluster()
  return facts === null ? [] : judgeCluster(facts, connections)
}

/** Checks whether the schema is up to date, or can be brought up to date. */
async function checkSchema(url: string): Promise<CheckResult> {
  try {
    const { steps, refusal } = await planMigrations(url)
    if (refusal !== null) {
      // Its last sentence is the next step.
      const [says = refusal, ...steps] = refusal.split(/(?<=\.) /)
      return problem('schema', says, steps.join(' '))
    }
    if (steps.length === 0) return okResult('schema', 'up to date')
    const names = steps.map(({ name }) => name).join(', ')
    const says = `${steps.length} step(s) behind this program: ${names}`
    return problem('schema', says, 'Run feria migrate, or let the next feria start do it.')
  } catch (error) {
    if (!(error instanceof SchemaTooNew)) throw error
    return problem('schema', error.message, 'Install the newer version here.')
  }
}
