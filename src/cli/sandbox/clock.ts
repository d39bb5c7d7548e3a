import type { ResponseBody } from 'feria/client'
import { openClient, type ServerOptions } from '../client/client.ts'
import type { Output } from '../frame/output.ts'

/** `feria clock show`: prints the time of the sandbox. */
export async function showClockCommand(options: ServerOptions, out: Output): Promise<undefined> {
  printClock(await openClient(options).call('GET', '/operator/clock'), out)
}

/** `feria clock advance STEP`. */
export async function advanceClockCommand(
  { step, ...options }: ServerOptions & { step: string },
  out: Output,
): Promise<undefined> {
  const body = { advance: step }
  printClock(await openClient(options).call('POST', '/operator/clock', { body }), out)
}

/** `feria clock set TIME`. */
export async function setClockCommand(
  { time, ...options }: ServerOptions & { time: string },
  out: Output,
): Promise<undefined> {
  const body = { to: time }
  printClock(await openClient(options).call('POST', '/operator/clock', { body }), out)
}

function printClock(answer: ResponseBody<'/operator/clock', 'get'>, out: Output): void {
  const { now, ahead_seconds: ahead } = answer
  out.printResult(answer, () => `${now}  ${shiftOf(ahead)}`)
}

/** Describes the sandbox clock relative to the machine's. It is behind after an older snapshot was loaded. */
export function shiftOf(aheadSeconds: number): string {
  if (aheadSeconds === 0) return 'as the machine’s'
  const span = formatDuration(Math.abs(aheadSeconds))
  return aheadSeconds > 0 ? `${span} ahead of the machine’s` : `${span} behind the machine’s`
}

/** Formats a duration by its two greatest units: `5 d 3 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  const greatest = parts.filter(([count]) => count > 0).slice(0, 2)
  return greatest.map(([count, unit]) => `${count} ${unit}`).join(' ') || '0 s'
}
