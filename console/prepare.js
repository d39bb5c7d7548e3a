import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Run by `npm ci` in a checkout. An installation without what builds the console goes without it:
// the program then says at /console how to build it.
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
if (existsSync(vite)) {
  const root = fileURLToPath(new URL('.', import.meta.url))
  execFileSync(process.execPath, [vite, 'build', root, '--logLevel', 'warn'], { stdio: 'inherit' })
}
