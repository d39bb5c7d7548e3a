import fc from 'fast-check'

/**
 * Loaded into every test file: generated cases are the same in every run, so that a failure belongs
 * to the change that brought it. `TEST_SEED=… npm test` tries others.
 */
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 20_260_310) })
