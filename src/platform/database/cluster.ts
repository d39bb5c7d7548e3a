import type pg from 'pg'

/** The oldest major version of Citus that Feria was tried with. */
export const leastCitusMajor = 13

/** A server of a Citus cluster, as its coordinator knows it. */
export interface ClusterNode {
  /** Host and port. */
  address: string
  isCoordinator: boolean
  isActive: boolean
  /** Parts of distributed tables may be placed there. */
  mayHoldShards: boolean
  /** What the server says of itself, or why it could not be asked. */
  answer: NodeFacts | { failure: string }
}

export interface NodeFacts {
  /** `150004`: the major version times ten thousand, and the minor one. */
  version: number
  /** The version of the extension in this database; null where it is missing. */
  extension: string | null
  maxConnections: number
  /** Prepared transactions in this database, and for how long the oldest has waited. */
  prepared: number
  preparedSeconds: number
  /** Its clock, in milliseconds since 1970. */
  now: number
}

export interface Cluster {
  /** The version of the extension in the database of the coordinator; null where it is missing. */
  extension: string | null
  /** The version that the coordinator's server has installed. */
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
 * Reads what the coordinator knows of its cluster and asks every node. The database must have Citus. Without nodes
 * where the versions of the coordinator do not fit: Citus refuses every other statement then.
 */
export async function readCluster(client: Pick<pg.Client, 'query'>): Promise<Cluster> {
  const versions = await client.query<Pick<Cluster, 'extension' | 'installed'>>(`
    select (select extversion from pg_extension where extname = 'citus') as extension,
      (select default_version from pg_available_extensions where name = 'citus') as installed`)
  const cluster = { extension: null, installed: null, ...versions.rows[0], nodes: [] }
  if (versionSentence(cluster) !== undefined) return cluster
  return { ...cluster, nodes: await readNodes(client) }
}

async function readNodes(client: Pick<pg.Client, 'query'>): Promise<ClusterNode[]> {
  const known = await client.query<Omit<ClusterNode, 'answer'> & { id: number }>(`
    select nodeid as id, nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator",
      isactive as "isActive", shouldhaveshards as "mayHoldShards"
    from pg_dist_node where noderole = 'primary' order by groupid`)
  const answers = await client.query<{ id: number; success: boolean; result: string }>(
    'select nodeid as id, success, result from run_command_on_all_nodes($1)',
    [factsOfNode],
  )
  const answerOf = new Map(answers.rows.map((row) => [row.id, row]))
  return known.rows.map(({ id, ...node }) => ({ ...node, answer: answerFrom(answerOf.get(id)) }))
}

function answerFrom(
  row: { success: boolean; result: string } | undefined,
): NodeFacts | { failure: string } {
  if (row?.success) return JSON.parse(row.result)
  return { failure: row?.result.trim().split('\n')[0] ?? 'it was not asked' }
}

/** What is wrong with the versions of a cluster, and what to do; undefined where nothing is. */
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
  const other = nodes.filter(
    ({ answer }) => !('failure' in answer) && answer.extension !== extension,
  )
  if (other.length === 0) return undefined
  const named = other.map(({ address, answer }) => {
    const { extension: theirs } = answer as NodeFacts
    return `${address} has ${theirs ?? 'none'}`
  })
  return (
    `The citus extension is ${extension} on the coordinator, but ${named.join(', ')}. ` +
    'Install the same version on every node and run `alter extension citus update` there.'
  )
}

/** Nodes that are not active or could not be asked, with the reason; undefined where there is none. */
export function absentNodesSentence({ nodes }: Cluster): string | undefined {
  const absent = nodes.flatMap(({ address, isActive, answer }) => {
    if (!isActive) return [`${address} (not active: select citus_activate_node)`]
    return 'failure' in answer ? [`${address} (${answer.failure})`] : []
  })
  if (absent.length === 0) return undefined
  return `${absent.length} of ${nodes.length} nodes of the cluster cannot be used: ${absent.join(', ')}.`
}

export const noWorkersSentence =
  'The cluster has no workers: nothing can be placed on a node. ' +
  'Add them on the coordinator: select citus_set_coordinator_host(HOST, PORT); select citus_add_node(HOST, PORT).'

/** Why no table of this cluster can be distributed or changed now, and what to do; undefined where that works. */
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
