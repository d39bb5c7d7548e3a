/** Yields to other work after 4 ms. The caller must await the returned promise, if any. */
export type Yielder = () => Promise<void> | undefined

/** Longest run without a pause, so that requests are hardly delayed. */
const sliceMs = 4

/** Returns a function that yields to other work after each 4 ms. */
export function makeYielder(): Yielder {
  let startedAt = performance.now()
  return () => {
    if (performance.now() - startedAt < sliceMs) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        startedAt = performance.now()
        resolve()
      })
    })
  }
}

/** Work that can be interrupted at each `yield`. */
export type SlicedWork<Result> = Generator<undefined, Result>

/** Runs the steps without a pause and returns their result. */
export function runWithoutPauses<Result>(steps: SlicedWork<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs the steps with pauses for other work and returns their result. */
export async function runInSlices<Result>(
  steps: SlicedWork<Result>,
  breathe: Yielder,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const pause = breathe()
    if (pause) await pause
  }
}
