/** Yields to other work after 4 ms. The caller must await the returned promise, if any. */
export type Breathe = () => Promise<void> | undefined

/** Longest run without a pause, so that requests are hardly delayed. */
const turnMs = 4

/** Returns a function that yields to other work after each 4 ms. */
export function makeBreathe(): Breathe {
  let startedAt = performance.now()
  return () => {
    if (performance.now() - startedAt < turnMs) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        startedAt = performance.now()
        resolve()
      })
    })
  }
}

/** Work that can be interrupted at each `yield`. */
export type Steps<Made> = Generator<undefined, Made>

/** Runs the steps without a pause and returns their result. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs the steps with pauses for other work and returns their result. */
export async function inSlices<Made>(steps: Steps<Made>, breathe: Breathe): Promise<Made> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const pause = breathe()
    if (pause) await pause
  }
}
