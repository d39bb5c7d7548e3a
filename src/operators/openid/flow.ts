import { minuteMs, secondMs } from '../../kernel/clock.ts'
import { longestSessionMs } from '../session.ts'

/** Why a browser goes to the provider and comes back. */
export const flowPurposes = ['sign-in', 'link', 'verification'] as const
export type FlowPurpose = (typeof flowPurposes)[number]

/** How long a person may take at the provider, and then again to enter a code. */
export const flowMs = 10 * minuteMs
/** Open flows of all browsers together, so that nobody fills the database with them. */
export const maxFlows = 10_000
/** The provider rounds times to seconds, and asks for the password before it loads its page. */
const skewMs = 10 * secondMs

/** Returns whether a person signed in at the provider after the flow began. `elapsedMs` is the age of the flow. */
export function isSignedInAnew(signInAgeMs: number | undefined, elapsedMs: number): boolean {
  return signInAgeMs !== undefined && signInAgeMs <= elapsedMs + skewMs
}

/** Returns how long ago a person entered a password at the provider. One that does not say counts as long ago, so that
 * sensitive operations ask first. */
export function verifiedMsAgoOf(signInAgeMs: number | undefined): number {
  return Math.min(signInAgeMs ?? longestSessionMs, longestSessionMs)
}
