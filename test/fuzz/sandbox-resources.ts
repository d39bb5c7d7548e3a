import type { Route } from '../../src/http/route.ts'
import type { TestClient } from '../harness/client.ts'
import type { KnownValues } from './values.ts'

/** What of the sandbox has a name: a world that is kept, a fault, a simulation that is under way or not. */
export async function createSandboxResources(
  client: TestClient,
  { url, method }: Route,
): Promise<KnownValues> {
  const base = '/operator/sandbox'
  if (url.includes('/triggers')) return {}
  if (url.includes('/snapshots/')) await client.operator('PUT', `${base}/snapshots/known`)
  await client.operator('PUT', `${base}/answer-faults/known`, { kind: 'slow', path: '/none' })
  if (!url.includes('/simulations')) return { name: ['known'] }
  const { simulations } = (await client.operator('GET', `${base}/simulations`)).body
  for (const { id } of simulations) await client.operator('POST', `${base}/simulations/${id}/stop`)
  if (method === 'POST' && !url.includes('/:')) return {}
  const simulationInput = { orders_per_minute: 1 }
  const { body } = await client.operator('POST', `${base}/simulations`, simulationInput)
  return { simulation_id: [body.id] }
}
