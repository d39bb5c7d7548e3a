/** Lets others have their turn where ours has lasted long enough; what is returned is waited for. */
export type Breathe = () => Promise<void> | undefined

/** No turn is longer than this by much: requests that come meanwhile hardly notice. */
const turnMs = 4

export function makeBreathe(): Breathe {
  let began = performance.now()
  return () => {
    if (performance.now() - began < turnMs) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        began = performance.now()
        resolve()
      })
    })
  }
}

/** Work that can be interrupted at every `yield`. */
export type Steps<Made> = Generator<undefined, Made>

/** All of it at once. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A little at a time. */
export async function inSlices<Made>(steps: Steps<Made>, breathe: Breathe): Promise<Made> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const pause = breathe()
    if (pause) await pause
  }
}
