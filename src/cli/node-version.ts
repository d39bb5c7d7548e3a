/**
 * Returns why this Node cannot run the program, or undefined when it can. `wanted` is `engines.node` of
 * package.json, such as `>=22.12`.
 *
 * `main.ts` loads this file before it knows which Node runs it, so both use only syntax that Node 16 parses.
 */
export function nodeProblem(version: string, wanted: string): string | undefined {
  const minimum = wanted.replace(/^>=\s*/, '')
  if (isAtLeast(version, minimum)) return undefined
  return `feria needs Node ${minimum} or newer; this is Node ${version}.`
}

/** Compares versions such as `22.12` and `22.12.0` by number; what a version leaves out is 0. */
function isAtLeast(version: string, minimum: string): boolean {
  const have = version.split('.').map(Number)
  const want = minimum.split('.').map(Number)
  for (let part = 0; part < 3; part++) {
    const difference = (have[part] || 0) - (want[part] || 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
