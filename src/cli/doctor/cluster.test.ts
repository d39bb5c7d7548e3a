import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cluster, ClusterNode, NodeFacts } from '../../platform/database/cluster.ts'
import { type ClusterFacts, judgeCluster, type ShardFacts } from './cluster.ts'

const gib = 1024 ** 3
const facts: NodeFacts = {
  version: 150_015,
  extension: '13.2-1',
  maxConnections: 300,
  prepared: 0,
  preparedSeconds: 0,
  now: 1_700_000_000_000,
}
const node = (group: number, more: Partial<NodeFacts> = {}): ClusterNode => ({
  address: `db-${group}:5432`,
  isCoordinator: group === 0,
  isActive: true,
  mayHoldShards: group > 0,
  answer: { ...facts, ...more },
})
const cluster: Cluster = {
  extension: '13.2-1',
  installed: '13.2-1',
  nodes: [node(0), node(1), node(2)],
}
const on = (group: number, more: Partial<ShardFacts> = {}): ShardFacts => ({
  address: `db-${group}:5432`,
  count: 180,
  bytes: 10 * gib,
  inactive: 0,
  ...more,
})
const whole: ClusterFacts = { cluster, shards: [on(1), on(2)] }
const nodes = (...all: ClusterNode[]) => ({ cluster: { ...cluster, nodes: all } })
const down: ClusterNode = { ...node(2), answer: { failure: 'connection refused' } }

test('where the versions of a cluster do not fit nothing else is judged', () => {
  const misfit = { cluster: { ...cluster, installed: '13.3-1', nodes: [] }, shards: null }
  assert.deepEqual(
    judgeCluster(misfit, 36).map(({ name, state }) => [name, state]),
    [['cluster', 'problem']],
  )
})

test('a cluster is judged by its versions, nodes, connections, clocks, left-over commits and shards', () => {
  type Case = [more: Partial<ClusterFacts>, name: string, state: string, says: RegExp]
  const cases: Case[] = [
    [{}, 'cluster', 'ok', /^Citus 13\.2-1, 2 workers$/],
    [nodes(node(0), node(1)), 'cluster', 'ok', /1 worker$/],
    [
      { cluster: { ...cluster, installed: '13.3-1' }, shards: null },
      'cluster',
      'problem',
      /its server has 13\.3-1\. Run `alter extension/,
    ],
    [
      nodes(node(0), node(1, { version: 160_002 })),
      'cluster',
      'warning',
      /PostgreSQL differs: db-0:5432 15, db-1:5432 16/,
    ],
    [{}, 'nodes', 'ok', /^all answer and are active$/],
    [
      nodes(node(0), node(1), down),
      'nodes',
      'problem',
      /^1 of 3 nodes .*db-2:5432 \(connection refused\).*orders are not taken/,
    ],
    [
      nodes(node(0), { ...node(1), isActive: false }),
      'nodes',
      'problem',
      /db-1:5432 \(not active\).*citus_activate_node/,
    ],
    [nodes(node(0)), 'nodes', 'problem', /citus_add_node/],
    [{}, 'node connections', 'ok', /every node takes 36 or more/],
    [
      nodes(node(0), node(1, { maxConnections: 35 })),
      'node connections',
      'warning',
      /may open 36 connections; db-1:5432 takes 35 Raise max_connections/,
    ],
    [{}, 'node clocks', 'ok', /agree/],
    [nodes(node(0), node(1, { now: facts.now + 1_000 })), 'node clocks', 'ok', /agree/],
    [
      nodes(node(0), node(1, { now: facts.now + 1_500 }), node(2, { now: facts.now - 3_000 })),
      'node clocks',
      'warning',
      /^of db-0:5432’s: db-1:5432 1\.5 s ahead, db-2:5432 3\.0 s behind/,
    ],
    [{}, 'two-phase commits', 'ok', /none/],
    [
      nodes(node(0), node(1, { prepared: 2, preparedSeconds: 300 })),
      'two-phase commits',
      'ok',
      /none is left over/,
    ],
    [
      nodes(node(0), node(1, { prepared: 2, preparedSeconds: 660 })),
      'two-phase commits',
      'problem',
      /2 on db-1:5432, the oldest for 11 minutes .*recover_prepared_transactions/,
    ],
    [{}, 'shards', 'ok', /^180 on db-1:5432 \(10\.0 GiB\), 180 on db-2:5432 \(10\.0 GiB\)$/],
    [{ shards: [] }, 'shards', 'ok', /no table is distributed yet/],
    [{ shards: [on(1), on(2, { bytes: 20 * gib })] }, 'shards', 'ok', /20\.0 GiB/],
    [{ shards: [on(1), on(2, { bytes: 21 * gib })] }, 'shards', 'warning', /citus_rebalance_start/],
    // Of little data nothing follows.
    [{ shards: [on(1, { bytes: 0 }), on(2, { bytes: gib / 2 })] }, 'shards', 'ok', /0\.5 GiB/],
    [{ shards: [on(1)] }, 'shards', 'warning', /0 on db-2:5432/],
    [{ shards: [on(1), on(2, { inactive: 3 })] }, 'shards', 'problem', /3 cannot be used/],
  ]
  for (const [more, name, state, says] of cases) {
    const judged = judgeCluster({ ...whole, ...more }, 36)
    const check = judged.find((result) => result.name === name)
    assert.equal(check?.state, state, `${name} ${JSON.stringify(more)} ${check?.says}`)
    assert.match([check?.says, check?.advice].filter(Boolean).join(' '), says)
  }
})
