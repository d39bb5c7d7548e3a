import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const outDir = fileURLToPath(new URL('../dist/console/', import.meta.url))

/** Lays every file out compressed too, so that serving one costs no work. */
const compressed: Plugin = {
  name: 'compressed',
  closeBundle() {
    for (const file of globSync(`${outDir}/**/*.{html,js,css,svg}`)) {
      const content = readFileSync(file)
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
      writeFileSync(`${file}.br`, brotliCompressSync(content))
    }
  },
}

/** Where the program serves the console from: `src/app/console.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [compressed],
  build: {
    outDir,
    emptyOutDir: true,
    // Since then every browser knows `light-dark()`, by which each colour is told once.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Everything as a file: the policy lets no inline script in, and no address of data.
    assetsInlineLimit: 0,
    // A test reads from it what the first page loads.
    manifest: 'manifest.json',
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries say `use client` to frameworks that render on a server.
      onLog(level, log, defaultHandler) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log)
      },
    },
  },
})
