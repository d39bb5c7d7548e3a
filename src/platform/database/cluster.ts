import type pg from 'pg'

/** The oldest supported major version of Citus. */
const leastCitusMajor = 13

/** A node of a Citus cluster, as its coordinator lists it. */
export interface ClusterNode {
  /** Host and port. */
  address: string
  isCoordinator: boolean
  isActive: boolean
  /** Whether shards may be placed on the node. */
  mayHoldShards: boolean
  /** The facts that the node reports, or why it did not answer. */
  answer: NodeFacts | { failure: string }
}

export interface NodeFacts {
  /** The version number of PostgreSQL: major version × 10,000 + minor version. */
  version: number
  /** The version of the extension in this database. Null if it is missing. */
  extension: string | null
  maxConnections: number
  /** Number of prepared transactions in this database, and the age of the oldest in seconds. */
  prepared: number
  preparedSeconds: number
  /** The clock of the node, in milliseconds since 1970. */
  now: number
}

export interface Cluster {
  /** The version of the extension in the coordinator's database. Null if it is missing. */
  extension: string | null
  /** The version of the extension that the coordinator's server has installed. */
  installed: string | null
  nodes: readonly ClusterNode[]
}

const factsOfNode = `
  select json_build_object(
    'version', current_setting('server_version_num')::int,
    'extension', (select extversion from pg_extension where extname = 'citus'),
    'maxConnections', current_setting('max_connections')::int,
    'prepared', (select count(*) from pg_prepared_xacts where database = current_database()),
    'preparedSeconds', (select coalesce(extract(epoch from clock_timestamp() - min(prepared)), 0)
      from pg_prepared_xacts where database = current_database()),
    'now', floor(extract(epoch from clock_timestamp()) * 1000))`

/**
 * Reads the nodes from the coordinator and asks each for its facts. The database must have Citus. The list of nodes is
 * empty if the versions on the coordinator do not match, because Citus then refuses every other statement.
 */
export async function readCluster(client: Pick<pg.Client, 'query'>): Promise<Cluster> {
  const versions = await client.query<Pick<Cluster, 'extension' | 'installed'>>(`
    select (select extversion from pg_extension where extname = 'citus') as extension,
      (select default_version from pg_available_extensions where name = 'citus') as installed`)
  const cluster = { extension: null, installed: null, ...versions.rows[0], nodes: [] }
  if (versionSentence(cluster) !== undefined) return cluster
  return { ...cluster, nodes: await readNodes(client) }
}

/** Loads the primary nodes of a cluster, each with its own answer, or why it gave none. */
async function readNodes(client: Pick<pg.Client, 'query'>): Promise<ClusterNode[]> {
  const nodes = await client.query<Omit<ClusterNode, 'answer'> & { id: number }>(`
    select nodeid as id, nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator",
      isactive as "isActive", shouldhaveshards as "mayHoldShards"
    from pg_dist_node where noderole = 'primary' order by groupid`)
  const answers = await client.query<{ id: number; success: boolean; result: string }>(
    'select nodeid as id, success, result from run_command_on_all_nodes($1)',
    [factsOfNode],
  )
  const answerOf = new Map(answers.rows.map((row) => [row.id, row]))
  return nodes.rows.map(({ id, ...node }) => ({ ...node, answer: answerFrom(answerOf.get(id)) }))
}

function answerFrom(
  row: { success: boolean; result: string } | undefined,
): NodeFacts | { failure: string } {
  if (row?.success) return JSON.parse(row.result)
  return { failure: row?.result.trim().split('\n')[0] ?? 'no answer' }
}

/** Describes a mismatch of versions in a cluster, with the command to run. Undefined if there is none. */
export function versionSentence({ extension, installed, nodes }: Cluster): string | undefined {
  if (extension !== null && majorOf(extension) < leastCitusMajor) {
    return (
      `The citus extension in this database is ${extension}; Feria needs ${leastCitusMajor} or newer. ` +
      'Install it on every node and run `alter extension citus update` there.'
    )
  }
  if (installed !== extension) {
    return (
      `The citus extension in this database is ${extension}, its server has ${installed}. ` +
      'Run `alter extension citus update` in it on every node.'
    )
  }
  const differing = nodes.filter(
    ({ answer }) => !('failure' in answer) && answer.extension !== extension,
  )
  if (differing.length === 0) return undefined
  const versions = differing.map(({ address, answer }) => {
    const { extension: nodeVersion } = answer as NodeFacts
    return `${address} has ${nodeVersion ?? 'none'}`
  })
  return (
    `The citus extension is ${extension} on the coordinator, but ${versions.join(', ')}. ` +
    'Install the same version on every node and run `alter extension citus update` there.'
  )
}

/** Lists the nodes that are inactive or did not answer, with the reason. Undefined if there are none. */
export function absentNodesSentence({ nodes }: Cluster): string | undefined {
  const absent = nodes.flatMap(({ address, isActive, answer }) => {
    if (!isActive) return [`${address} (not active)`]
    return 'failure' in answer ? [`${address} (${answer.failure})`] : []
  })
  if (absent.length === 0) return undefined
  return `${absent.length} of ${nodes.length} nodes of the cluster cannot be used: ${absent.join(', ')}.`
}

export const noWorkersSentence =
  'The cluster has no workers: nothing can be placed on a node. ' +
  'Add them on the coordinator: select citus_set_coordinator_host(HOST, PORT); select citus_add_node(HOST, PORT).'

/** Explains why tables of this cluster cannot be distributed or changed now, and what to do. Undefined if they can. */
export function clusterRefusal(cluster: Cluster): string | undefined {
  if (!cluster.nodes.some(({ mayHoldShards }) => mayHoldShards)) {
    return versionSentence(cluster) ?? noWorkersSentence
  }
  const absent = absentNodesSentence(cluster)
  return (
    versionSentence(cluster) ??
    (absent && `${absent} Changes of the schema need all of them: bring them back, or remove them.`)
  )
}

const majorOf = (version: string) => Number.parseInt(version, 10)
