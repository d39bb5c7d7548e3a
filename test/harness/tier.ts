/** The tier of this run: `all` in `npm run test:all` and for files that are named, `fast` in `npm test`. */
export const tier: 'fast' | 'all' = process.env['FERIA_TEST_TIER'] === 'fast' ? 'fast' : 'all'

/** Returns how often to try a property: a tenth of `full` in the fast tier. */
export const propertyRuns = (full: number): number =>
  tier === 'fast' ? Math.ceil(full / 10) : full
