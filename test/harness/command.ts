import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { mainFile } from './program.ts'

/** Runs `feria <args>` to its end, with nothing in its environment but this. */
export async function runFeria(
  env: Record<string, string | undefined>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...env } }
  try {
    const run = promisify(execFile)
    const { stdout, stderr } = await run(process.execPath, [mainFile, ...args], options)
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}
