import { Type } from 'typebox'
import { baseAddress } from '../http/address.ts'
import { redirect } from '../http/pages/page.ts'
import { version } from '../http/reference/openapi.ts'
import { ok, type Route, route } from '../http/route.ts'

/** The paths of the links to everything else. */
const links = {
  console: '/console/',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready',
  live: '/health/live',
  sign_in: '/login',
  authorization_server: '/.well-known/oauth-authorization-server',
} as const

const Link = Type.String({ examples: ['https://api.example/docs'] })

const Index = Type.Object({
  name: Type.String({ examples: ['Feria'] }),
  version: Type.String({ examples: ['0.1.0'] }),
  mode: Type.Union([Type.Literal('sandbox'), Type.Literal('production')]),
  links: Type.Object(Object.fromEntries(Object.keys(links).map((name) => [name, Link]))),
})

// The same path answers JSON and HTML, so caches must distinguish them.
const vary = { vary: 'accept' }

const getIndex = route({
  method: 'GET',
  url: '/',
  scope: 'public',
  tag: 'Health',
  summary: 'Get the index of the service',
  description:
    'Returns the name, version and mode of the service, with links to everything else. A browser, whose `Accept` header prefers `text/html`, is redirected to the console.',
  headers: Type.Object({ accept: Type.Optional(Type.String()) }),
  answers: { 200: Index, 303: Type.Null() },
  async handle({ config }, { headers }) {
    if (prefersHtml(headers.accept)) return redirect(links.console, vary)
    const here = baseAddress(config, headers)
    const addresses = Object.entries(links).map(([name, path]) => [name, `${here}${path}`])
    const index = {
      name: 'Feria',
      version,
      mode: config.mode,
      links: Object.fromEntries(addresses),
    }
    return { ...ok(index), headers: vary }
  },
})

export const serviceRoutes: Route[] = [getIndex]

/** Returns whether an `Accept` header gives HTML a higher weight than JSON. Equal weights, as with `*` or without a header,
 * mean a program. */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').slice(0, 1_000).split(',').map(readRange)
  const weightOf = (...names: string[]) => {
    // The most specific range decides, not the highest weight (RFC 9110, 12.5.1).
    for (const name of names) {
      const match = ranges.find((range) => range.name === name)
      if (match) return match.weight
    }
    return 0
  }
  const html = weightOf('text/html', 'text/*', '*/*')
  return html > weightOf('application/json', 'application/*', '*/*')
}

function readRange(text: string): { name: string; weight: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = quality === undefined ? 1 : Number(quality.slice(2))
  return { name, weight: Number.isFinite(weight) ? weight : 0 }
}
