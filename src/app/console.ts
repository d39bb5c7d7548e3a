import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { baseAddress } from '../http/address.ts'
import { version } from '../http/reference/openapi.ts'
import { consoleApplicationId, consoleCallbackPath } from '../identity/applications/console.ts'
import { findApplication } from '../identity/store.ts'
import { dayMs } from '../kernel/clock.ts'
import { sandboxOperatorToken } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { isLoopback } from '../platform/loopback.ts'
import { demoSellerId, demoSellers } from '../sandbox/demo/people.ts'
import { demoApplication } from '../sandbox/demo/world.ts'
import { demoPassword } from '../sandbox/seed.ts'
import { unbuiltPage } from './unbuilt.ts'

/** What `npm run build:console` makes, of a checkout and of the package alike. */
const built = fileURLToPath(new URL('../../dist/console/', import.meta.url))
/** The names of these tell their content. */
const assets = /^assets\/[\w.-]+$/

/** Serves the console at `/console`: its files, its settings, and its first page for every address below
 * that is no file, since which pages there are is the console's own affair. */
export async function serveConsole(
  server: FastifyInstance,
  ctx: Pick<Context, 'config' | 'db'>,
  directory: string = built,
): Promise<void> {
  const isBuilt = existsSync(join(directory, 'index.html'))
  await server.register(async (inner) => {
    await inner.register(helmet, policy)
    if (isBuilt) await inner.register(files, { root: directory, serve: false, preCompressed: true })
    const options = { schema: { hide: true } }
    inner.get('/console', options, async (_request, reply) => reply.redirect('/console/', 308))
    inner.get('/console/settings.json', options, async ({ headers }, reply) => {
      return reply.header('cache-control', 'no-store').send(await settingsOf(ctx, headers))
    })
    inner.get('/console/*', options, async (request, reply) => {
      if (!isBuilt) {
        const { status, headers = {}, text } = unbuiltPage(request.headers['accept-language'])
        return reply.status(status).headers(headers).send(text)
      }
      const { '*': path } = request.params as { '*': string }
      if (assets.test(path)) {
        if (!existsSync(join(directory, path))) return reply.callNotFound()
        return reply.sendFile(path, { immutable: true, maxAge: 365 * dayMs })
      }
      if (path === 'favicon.svg') return reply.sendFile(path, { maxAge: dayMs })
      reply.header('cache-control', 'no-store')
      return reply.sendFile('index.html', { cacheControl: false })
    })
  })
}

/** Scripts and everything else from here alone, nothing inline but the styles that its components set. */
const policy = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' as const },
  strictTransportSecurity: false,
}

type Headers = Parameters<typeof baseAddress>[1]

/** What the console must know before it can ask anything; the secrets among it are those that every
 * sandbox has. */
async function settingsOf({ config, db }: Pick<Context, 'config' | 'db'>, headers: Headers) {
  const isSandbox = config.mode === 'sandbox'
  const isDemo = isSandbox && (await findApplication(db, demoApplication.id)) !== undefined
  const seller = demoSellers.find(({ user }) => user.id === demoSellerId)
  const isUsual = isSandbox && config.operatorToken === sandboxOperatorToken
  const hasToken = isUsual && isOfThisMachine(config)
  return {
    mode: config.mode,
    version,
    client_id: consoleApplicationId,
    redirect_uri: `${baseAddress(config, headers)}${consoleCallbackPath}`,
    demo: isDemo
      ? {
          nickname: seller?.user.nickname,
          password: demoPassword,
          application_id: demoApplication.id,
        }
      : null,
    operator_token: hasToken ? sandboxOperatorToken : null,
  }
}

/** Whether only who is at this machine can reach the service, as far as the settings tell. */
function isOfThisMachine({ http: { host, publicUrl } }: Context['config']): boolean {
  return isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
}
