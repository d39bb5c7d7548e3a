import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { dayMs } from '../../kernel/clock.ts'
import { ServedText } from '../bodies/compression.ts'
import { html } from '../pages/html.ts'

/** The folder into which `console/prepare.js` writes the script of the page, in a checkout and in the package. */
const built = fileURLToPath(new URL('../../../dist/reference/', import.meta.url))

const configuration = {
  favicon: '/console/favicon.svg',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  // The page offers no hosted services: it talks only to this server.
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** The script of the page writes inline styles. Nothing else is inline or from another host. */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'font-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'self'"],
      'object-src': ["'none'"],
      'frame-ancestors': ["'self'"],
    },
  },
  strictTransportSecurity: false,
}

/** Serves the reference page at `/docs/`. It reads `/openapi.json`. */
export async function servePage(server: FastifyInstance, directory: string = built): Promise<void> {
  const names = existsSync(directory) ? readdirSync(directory) : []
  const script = names.find((name) => /^scalar-[0-9a-f]+\.js$/.test(name))
  await server.register(async (inner) => {
    await inner.register(helmet, policy)
    const options = { schema: { hide: true } }
    inner.get('/docs', options, async (_request, reply) => reply.redirect('/docs/', 301))
    const page = script === undefined ? undefined : new ServedText(pageOf(script))
    inner.get('/docs/', options, async (request, reply) => {
      reply.type('text/html; charset=utf-8')
      return page ? page.send(request, reply) : reply.status(503).send(unbuilt)
    })
    if (script === undefined) return
    await inner.register(files, { root: directory, serve: false, preCompressed: true })
    inner.get(`/docs/${script}`, options, async (_request, reply) =>
      reply.sendFile(script, { immutable: true, maxAge: 365 * dayMs }),
    )
  })
}

const pageOf = (script: string) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Feria reference</title>
<link rel="icon" href="/console/favicon.svg">
</head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration="${JSON.stringify(configuration)}"></script>
<script src="/docs/${script}"></script>
</body>
</html>
`.text

const unbuilt = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Feria reference</title>
</head>
<body>
<h1>The reference page has not been built</h1>
<p>Run this in the checkout, then restart the program:</p>
<p><code>npm ci</code></p>
<p><a href="/openapi.json">/openapi.json</a> describes the same operations.</p>
</body>
</html>
`
