import { type DestinationStream, pino } from 'pino'

/** A structured log with one line per event. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
  /** An `info` line with the text `answered`. */
  answered(request: AnsweredRequest): void
  /** Returns whether a level is logged. Ask before building expensive fields. */
  isLevelEnabled(level: string): boolean
}

/** A request and its answer. */
export interface AnsweredRequest {
  request: string
  method: string
  path: string
  status: number
  ms: number
  /** The bearer of the access token. */
  caller: { userId: number; applicationId: number | null } | undefined
}

/** Buffered lines are written at this length, or after `flushMs`. A system call per line would cost more than the line. */
const bufferLength = 8_192
const flushMs = 250

/**
 * Returns a log that writes JSON lines to standard output or `destination`. Callers must not log tokens.
 */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const output =
    destination ??
    pino.destination({ dest: 1, sync: false, minLength: bufferLength, periodicFlush: flushMs })
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output)
  return Object.assign(log, {
    answered: ({ caller, ...request }: AnsweredRequest) =>
      log.info(
        caller ? { ...request, user: caller.userId, application: caller.applicationId } : request,
        'answered',
      ),
  })
}
