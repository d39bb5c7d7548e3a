import {
  absentNodesSentence,
  type Cluster,
  type ClusterNode,
  type NodeFacts,
  noWorkersSentence,
  versionSentence,
} from '../../platform/database/cluster.ts'
import { type CheckResult, okResult, problem, warning } from './check.ts'

/** Shards of distributed tables on one node. */
export interface ShardFacts {
  address: string
  count: number
  bytes: number
  /** Shards that the coordinator does not mark as usable. */
  inactive: number
}

export interface ClusterFacts {
  cluster: Cluster
  /** Null if the versions of the cluster differ: Citus then refuses every other query. */
  shards: readonly ShardFacts[] | null
}

const gib = 1024 ** 3
/** Citus recovers transactions that a crash left prepared once a minute. */
const recoverySeconds = 5 * 60

/** Judges a cluster. `connections` is the number that all processes of Feria together may open. */
export function judgeCluster(
  { cluster, shards }: ClusterFacts,
  connections: number,
): CheckResult[] {
  const reached = cluster.nodes.flatMap((node) =>
    'failure' in node.answer ? [] : [{ ...node, answer: node.answer }],
  )
  const versions = judgeVersions(cluster, reached)
  if (shards === null) return [versions]
  return [
    versions,
    judgeNodes(cluster),
    judgeNodeConnections(reached, connections),
    judgeNodeClocks(reached),
    judgePrepared(reached),
    judgeShards(cluster, shards),
  ]
}

type ReachedNode = ClusterNode & { answer: NodeFacts }

/** Judges the versions of a cluster. Nodes with different major versions of PostgreSQL are a warning. */
function judgeVersions(cluster: Cluster, reached: readonly ReachedNode[]): CheckResult {
  const name = 'cluster'
  const version = `Citus ${cluster.extension}`
  const sentence = versionSentence(cluster)
  if (sentence !== undefined) return problem(name, version, sentence)
  const workers = cluster.nodes.filter(({ isCoordinator }) => !isCoordinator).length
  const says = `${version}, ${workers} worker${workers === 1 ? '' : 's'}`
  const majors = reached.map(({ answer }) => Math.floor(answer.version / 10_000))
  if (new Set(majors).size > 1) {
    const versions = reached.map(({ address }, n) => `${address} ${majors[n]}`).join(', ')
    const advice = 'Upgrade all nodes to one major version.'
    return warning(name, `${says}; PostgreSQL differs: ${versions}`, advice)
  }
  return okResult(name, says)
}

function judgeNodes(cluster: Cluster): CheckResult {
  const name = 'nodes'
  if (!cluster.nodes.some(({ mayHoldShards }) => mayHoldShards)) {
    return problem(name, 'none may hold shards', noWorkersSentence)
  }
  const absent = absentNodesSentence(cluster)
  if (absent === undefined) return okResult(name, 'all answer and are active')
  const advice =
    'Start a node that does not answer, or promote its standby. Activate one that is not active: select citus_activate_node(HOST, PORT). Until then, orders are not taken and its data cannot be read.'
  return problem(name, absent, advice)
}

function judgeNodeConnections(reached: readonly ReachedNode[], connections: number): CheckResult {
  const name = 'node connections'
  const small = reached.filter(({ answer }) => answer.maxConnections < connections)
  if (small.length === 0) return okResult(name, `every node takes ${connections} or more`)
  const limits = small.map(({ address, answer }) => `${address} takes ${answer.maxConnections}`)
  const says = `processes of Feria may open ${connections} connections; ${limits.join(', ')}`
  return warning(
    name,
    says,
    'Raise max_connections there: the coordinator opens as many to each node.',
  )
}

/** Judges the clocks of the nodes by the first one. More than a second apart is a warning. */
function judgeNodeClocks([first, ...others]: readonly ReachedNode[]): CheckResult {
  const name = 'node clocks'
  const apart = others
    .map(({ address, answer }) => ({
      address,
      seconds: (answer.now - (first?.answer.now ?? 0)) / 1_000,
    }))
    .filter(({ seconds }) => Math.abs(seconds) > 1)
  if (apart.length === 0) return okResult(name, 'agree within a second')
  const differences = apart.map(({ address, seconds }) =>
    seconds > 0
      ? `${address} ${seconds.toFixed(1)} s ahead`
      : `${address} ${(-seconds).toFixed(1)} s behind`,
  )
  return warning(
    name,
    `of ${first?.address}’s: ${differences.join(', ')}`,
    'Synchronize all of them by NTP.',
  )
}

function judgePrepared(reached: readonly ReachedNode[]): CheckResult {
  const name = 'two-phase commits'
  const old = reached.filter(({ answer }) => answer.preparedSeconds > recoverySeconds)
  if (old.length === 0) return okResult(name, 'none is left over')
  const leftOver = old.map(
    ({ address, answer }) =>
      `${answer.prepared} on ${address}, the oldest for ${Math.round(answer.preparedSeconds / 60)} minutes`,
  )
  const advice =
    'On the coordinator: select recover_prepared_transactions(). Their locks are held until then.'
  return problem(name, `left over: ${leftOver.join('; ')}`, advice)
}

/** Judges how the shards lie on the nodes: all must be usable, and none of the nodes much fuller than another. */
function judgeShards({ nodes }: Cluster, shards: readonly ShardFacts[]): CheckResult {
  const name = 'shards'
  const inactive = shards.reduce((sum, node) => sum + node.inactive, 0)
  if (inactive > 0) {
    const advice = 'See pg_dist_placement for those whose shardstate is not 1.'
    return problem(name, `${inactive} cannot be used`, advice)
  }
  const holders = nodes.filter(({ mayHoldShards }) => mayHoldShards)
  const shardsOf = new Map(shards.map((node) => [node.address, node]))
  const shardCounts = holders.map(({ address }) => ({
    address,
    count: shardsOf.get(address)?.count ?? 0,
    bytes: shardsOf.get(address)?.bytes ?? 0,
  }))
  const total = shardCounts.reduce((sum, node) => sum + node.count, 0)
  if (total === 0) return okResult(name, 'no table is distributed yet')
  const says = shardCounts
    .map(({ address, count, bytes }) => `${count} on ${address} (${(bytes / gib).toFixed(1)} GiB)`)
    .join(', ')
  const sizes = shardCounts.map(({ bytes }) => bytes)
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const isUneven =
    shardCounts.some(({ count }) => count === 0) || most > Math.max(2 * least, least + gib)
  if (!isUneven) return okResult(name, says)
  return warning(name, says, 'Spread them evenly: select citus_rebalance_start()')
}
