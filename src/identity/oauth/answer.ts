import type { Refusal } from './authorization-input.ts'

/** The address that leads back to the application. `iss` says who answers, so that an application
 * which asks several services cannot be made to take one's answer for another's (RFC 9207). */
export function answerAddress(
  redirectUri: string,
  answer: { state: string | undefined; issuer: string } & ({ code: string } | Refusal),
): string {
  const told = new URLSearchParams(
    'code' in answer
      ? { code: answer.code }
      : { error: answer.error, error_description: answer.description },
  )
  if (answer.state !== undefined) told.set('state', answer.state)
  told.set('iss', answer.issuer)
  // Appended, not rebuilt: what was registered stays as it stands.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${told}`
}
