/** The failures of operations that exist in a sandbox only, and those that a sandbox simulates on request. */
export const sandboxFailures = {
  sandbox_only: {
    status: 403,
    error: 'sandbox_only',
    says: 'This resource exists in sandbox mode only.',
  },
  simulation_open: {
    status: 409,
    error: 'simulation_open',
    says: 'A simulation is under way: {detail}. Let it end, or stop it.',
  },
  snapshot_refused: { status: 409, error: 'snapshot_refused', says: '{detail}' },
  conflict: {
    status: 409,
    error: 'conflict',
    says: 'The request is in conflict with another one, try it again.',
  },
  bad_gateway: { status: 502, error: 'bad_gateway', says: 'Bad gateway' },
  gateway_timeout: { status: 504, error: 'gateway_timeout', says: 'Gateway timeout' },
} as const
