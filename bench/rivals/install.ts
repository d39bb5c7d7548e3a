import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const command = 'npm ci --prefix bench/rivals'

/** Installs the job queues to compare with, unless they are installed. Throws when npm cannot. */
export function installRivals(): void {
  // npm writes this file last, so a half-finished installation is repeated.
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return
  process.stdout.write(`installing the job queues to compare with: ${command}\n`)
  try {
    const args = ['ci', '--prefix', folder, '--no-audit', '--no-fund']
    execFileSync('npm', args, { stdio: 'ignore' })
  } catch {
    const advice = 'run it yourself, or measure without them: FERIA_BENCH_SIDES=program,floor'
    throw new Error(`${command} failed; ${advice}`)
  }
}
