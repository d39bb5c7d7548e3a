import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Run by `npm ci` in a checkout. An installation without the console's sources, or without what builds it, goes without it:
// the program then says at /console how to build it.
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
const root = fileURLToPath(new URL('.', import.meta.url))
if (existsSync(vite) && existsSync(`${root}/index.html`)) {
  execFileSync(process.execPath, [vite, 'build', root, '--logLevel', 'warn'], { stdio: 'inherit' })
}
