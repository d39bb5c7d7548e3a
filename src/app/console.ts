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
import { demoApplication, demoSellerId } from '../sandbox/demo/ids.ts'
import { demoPassword } from '../sandbox/demo/load.ts'
import { demoSellers } from '../sandbox/demo/users.ts'
import { consoleUnbuiltPage } from './unbuilt.ts'

/** The folder into which `npm run build:console` writes, in a checkout and in the package. */
const built = fileURLToPath(new URL('../../dist/console/', import.meta.url))
/** Files whose names contain a hash of their content. */
const assets = /^assets\/[\w.-]+$/

/** Serves the console at `/console`: its files and its settings. Any other path below gets the first page, because the
 * console routes its pages itself. */
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
        const {
          status,
          headers = {},
          text,
        } = consoleUnbuiltPage(request.headers['accept-language'])
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

/** The security headers of the console: everything from this service, and nothing inline but styles of components. */
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

type HostHeaders = Parameters<typeof baseAddress>[1]

/** Returns the settings of the console. The only secrets in it are the public ones of every sandbox. */
async function settingsOf({ config, db }: Pick<Context, 'config' | 'db'>, headers: HostHeaders) {
  const isSandbox = config.mode === 'sandbox'
  const isDemo = isSandbox && (await findApplication(db, demoApplication.id)) !== undefined
  const hasDefaultToken = isSandbox && config.operatorToken === sandboxOperatorToken
  const showsToken = hasDefaultToken && isLocal(config)
  return {
    mode: config.mode,
    version,
    client_id: consoleApplicationId,
    redirect_uri: `${baseAddress(config, headers)}${consoleCallbackPath}`,
    demo: isDemo
      ? {
          nickname: demoSellers().find(({ user }) => user.id === demoSellerId)?.user.nickname,
          password: demoPassword,
          application_id: demoApplication.id,
        }
      : null,
    identity_provider: config.identityProvider ? { name: config.identityProvider.name } : null,
    operator_token: showsToken ? sandboxOperatorToken : null,
  }
}

/** Returns whether the settings allow access from this machine only. */
function isLocal({ http: { host, publicUrl } }: Context['config']): boolean {
  return isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
}
