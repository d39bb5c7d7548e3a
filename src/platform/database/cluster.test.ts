import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cluster, type ClusterNode, clusterRefusal, type NodeFacts } from './cluster.ts'

const facts: NodeFacts = {
  version: 150_015,
  extension: '13.2-1',
  maxConnections: 100,
  prepared: 0,
  preparedSeconds: 0,
  now: 1_000,
}
const node = (group: number, more: Partial<ClusterNode> = {}): ClusterNode => ({
  address: `db-${group}:5432`,
  isCoordinator: group === 0,
  isActive: true,
  mayHoldShards: group > 0,
  answer: facts,
  ...more,
})
const whole: Cluster = {
  extension: '13.2-1',
  installed: '13.2-1',
  nodes: [node(0), node(1), node(2)],
}

test('a cluster is refused with the node or version that hinders, and with what to do', () => {
  const cases: [more: Partial<Cluster>, says: RegExp | undefined][] = [
    [{}, undefined],
    // One server that is its own worker.
    [{ nodes: [node(0, { mayHoldShards: true })] }, undefined],
    [
      {
        extension: '14.0-1',
        installed: '14.0-1',
        nodes: [node(1, { answer: { ...facts, extension: '14.0-1' } })],
      },
      undefined,
    ],
    [
      { extension: '12.1-1', installed: '12.1-1' },
      /^The citus extension in this database is 12\.1-1; Feria needs 13 or newer\. .*alter extension citus update/,
    ],
    [
      { extension: '13.0-1' },
      /is 13\.0-1, its server has 13\.2-1\. Run `alter extension citus update` in it on every node/,
    ],
    [
      { nodes: [node(0), node(1, { answer: { ...facts, extension: '13.0-1' } })] },
      /^The citus extension is 13\.2-1 on the coordinator, but db-1:5432 has 13\.0-1\./,
    ],
    [
      { nodes: [node(0), node(1, { answer: { ...facts, extension: null } })] },
      /db-1:5432 has none/,
    ],
    [{ nodes: [] }, /^The cluster has no workers/],
    [{ nodes: [node(0)] }, /^The cluster has no workers: .*citus_add_node/],
    [
      { nodes: [node(0), node(1, { answer: { failure: 'connection refused' } })] },
      /^1 of 2 nodes of the cluster cannot be used: db-1:5432 \(connection refused\)\./,
    ],
    [{ nodes: [node(0), node(1, { isActive: false })] }, /db-1:5432 \(not active\)/],
  ]
  for (const [more, says] of cases) {
    const refusal = clusterRefusal({ ...whole, ...more })
    if (says === undefined) assert.equal(refusal, undefined)
    else assert.match(refusal ?? 'not refused', says)
  }
})
