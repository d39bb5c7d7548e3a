import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

// Run by `npm ci` in a checkout and by `npm pack`: makes what browsers load, and the types of the interface. An installation without the sources, or
// without what builds them, goes without: the program then says at /console and /docs how to build it.
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
const root = fileURLToPath(new URL('.', import.meta.url))
if (existsSync(vite) && existsSync(`${root}/index.html`)) {
  execFileSync(process.execPath, [vite, 'build', root, '--logLevel', 'warn'], { stdio: 'inherit' })
}

// The types of the HTTP interface (`npm run types`), so that editors and `tsc` find them from the first moment on.
const types = new URL('../client/types/', import.meta.url)
if (existsSync(new URL('node_modules/', types)) && existsSync(new URL('generate.ts', types))) {
  execFileSync(process.execPath, [fileURLToPath(new URL('generate.ts', types))], {
    stdio: 'inherit',
  })
}

// The reference page's script (decision 21). The program finds it by its name, which tells its content.
const scalar = new URL('../node_modules/@scalar/fastify-api-reference/', import.meta.url)
const bundle = new URL('dist/js/standalone.js', scalar)
const reference = fileURLToPath(new URL('../dist/reference/', import.meta.url))
if (existsSync(bundle)) {
  const script = readFileSync(bundle)
  const digest = createHash('sha256').update(script).digest('hex').slice(0, 12)
  const file = `${reference}scalar-${digest}.js`
  rmSync(reference, { recursive: true, force: true })
  mkdirSync(reference, { recursive: true })
  writeFileSync(file, script)
  copyFileSync(new URL('LICENSE', scalar), `${reference}scalar-license.txt`)
  // Brotli's level 9 takes 0.6 s and 876 KB; 11 takes 13 s, which every `npm ci` would pay, and 793 KB.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: script.length,
  }
  writeFileSync(`${file}.br`, brotliCompressSync(script, { params }))
  writeFileSync(`${file}.gz`, gzipSync(script, { level: 9 }))
}
