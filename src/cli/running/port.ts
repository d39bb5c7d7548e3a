import { createServer } from 'node:net'
import { CommandFailure } from '../frame/failure.ts'

interface Endpoint {
  host: string
  port: number
}

/** Listens on the endpoint and closes again. Rejects with the error of the operating system. */
export function probePort({ host, port }: Endpoint): Promise<void> {
  if (port === 0) return Promise.resolve()
  return listenOnce({ host, port })
}

function listenOnce(endpoint: Endpoint): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...endpoint, exclusive: true }, () => server.close(() => resolve()))
  })
}

/**
 * Throws `CommandFailure` with the next step if this endpoint cannot be listened on. A start checks this before it
 * makes a database and demo data, which takes a while.
 */
export async function requirePort(endpoint: Endpoint, setting = 'PORT'): Promise<void> {
  // Port 0 takes any free port, but the host may be wrong.
  await listenOnce(endpoint).catch((error: NodeJS.ErrnoException) => {
    throw portFailure(error, endpoint, setting)
  })
}

/** Returns a `CommandFailure` with the next step for an error of `listen`, or the error itself. */
export function portFailure(
  error: NodeJS.ErrnoException,
  { host, port }: Endpoint,
  setting = 'PORT',
): Error {
  const { code = '' } = error
  const step = {
    EADDRINUSE: `Port ${port} on ${host} is in use (${code}).\nSet ${setting} to a free one (0 takes any).`,
    EACCES: `Port ${port} on ${host} is reserved (${code}).\nSet ${setting} to one above 1023.`,
    EADDRNOTAVAIL: `HOST: ${host} is not an address of this machine (${code}).\nSet HOST to 127.0.0.1, to 0.0.0.0 for every address, or to one that the machine has.`,
    ENOTFOUND: `HOST: there is no host ${host} (${code}).\nSet HOST to 127.0.0.1, to 0.0.0.0 for every address, or to one that the machine has.`,
    EAI_AGAIN: `HOST: ${host} cannot be resolved (${code}).\nSet HOST to 127.0.0.1, to 0.0.0.0 for every address, or to one that the machine has.`,
  }[code]
  return step === undefined ? error : new CommandFailure(step)
}
