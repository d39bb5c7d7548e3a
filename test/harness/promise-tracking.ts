import asyncHooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks'

/**
 * `node:test` maps every promise to its test, with an async hook. That takes a fifth of the processor time of a run.
 * Only the registration of a file needs it: there `test` finds its suite across an `await`. While tests run, an error
 * that nobody handles fails the run all the same, with the name of its file instead of its test.
 *
 * Loaded before `node:test`, which creates its hook when it is loaded.
 */
let tracking: { all: AsyncHook; withoutPromises: AsyncHook } | undefined

const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks: HookCallbacks) => {
  // Only the first hook is that of `node:test`.
  asyncHooks.createHook = createHook
  const all = createHook(callbacks)
  // A Node that does not know the option tracks promises as before.
  const withoutPromises = createHook({ ...callbacks, trackPromises: false })
  tracking = { all, withoutPromises }
  return all
}

/** Sets whether `node:test` knows the test of what promises do. Without its hook, does nothing. */
export function trackPromises(isTracking: boolean): void {
  if (!tracking) return
  const { all, withoutPromises } = tracking
  const [on, off] = isTracking ? [all, withoutPromises] : [withoutPromises, all]
  off.disable()
  on.enable()
}
