import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import {
  permitWholeApplication,
  unknownApplication,
  wholeApplicationTokenRule,
  wholeRefusals,
} from '../../identity/applications/access.ts'
import { findApplication } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, OrNull, StrictObject, Timestamp } from '../../kernel/schema.ts'
import { rotateSigningSecret } from './commands.ts'
import { listSecrets, type SigningSecret } from './store.ts'

const tag = 'Operator: deliveries'
const ofApplication = Type.Object({ application_id: Id })

const SecretAnswer = Type.Object({
  id: Type.String({ description: 'Id of the secret', examples: ['a5a5a5a5a5a5a5a5'] }),
  begins_with: Type.String({
    description: 'First ten characters of the secret, to tell secrets apart',
    examples: ['whsec_MfKQ'],
  }),
  date_created: Timestamp,
  expires_at: OrNull({
    ...Timestamp,
    description: 'When it stops to sign, after a newer one was created. Null for the newest',
  }),
})

/** Makes the routes for callers that act for a whole application (no prefix) or for the operator. */
function secretRoutesUnder(prefix: '' | '/operator'): Route[] {
  const isOperators = prefix === '/operator'
  const url = `${prefix}/applications/:application_id/signing-secrets`
  const common = {
    url,
    tag: isOperators ? tag : 'Notifications',
    params: ofApplication,
    permit: permitWholeApplication,
  } as const
  const access = isOperators ? '' : ` ${wholeApplicationTokenRule}`
  return [
    route({
      ...common,
      method: 'GET',
      scope: isOperators ? 'operator' : 'read',
      permission: 'applications:read',
      sites: allSites,
      summary: 'List the signing secrets of an application',
      description: `Returns the secrets that sign deliveries now (by Standard Webhooks), newest first, with their first characters only. A whole secret is shown once, when you create it.${access}`,
      refuses: isOperators ? {} : wholeRefusals,
      answers: { 200: Type.Object({ secrets: Type.Array(SecretAnswer) }) },
      async handle({ db, now }, { params }) {
        const { application_id: applicationId } = params
        const secrets = await listSecrets(db, { applicationId, now: now() })
        return ok({ secrets: secrets.map(view) })
      },
    }),
    route({
      ...common,
      method: 'POST',
      scope: isOperators ? 'operator' : 'write',
      permission: 'applications:write',
      sites: allSites,
      audits: 'application',
      summary: 'Create a signing secret',
      description: `The new secret signs from now on. Older secrets sign too, in the same header, for \`overlap_hours\`, so that your receiver can switch without refusing a delivery. One that expires earlier keeps its \`expires_at\`. At most five are in force; one more gets 409 \`too_many_secrets\`. With \`overlap_hours\` 0 all older secrets end at once, and there is no such limit.${isOperators ? ' An unknown application answers 404 `not_found`.' : access}`,
      refuses: {
        ...(isOperators ? unknownApplication : wholeRefusals),
        too_many_secrets: '',
      },
      body: StrictObject({
        overlap_hours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 168,
            description: 'Hours for which older secrets still sign. Default: 24',
          }),
        ),
      }),
      answers: {
        201: Type.Object({
          ...SecretAnswer.properties,
          secret: Type.String({
            description: 'The whole secret, shown only in this answer',
            examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
          }),
        }),
      },
      async handle(ctx, { params, body, caller }) {
        const { application_id: applicationId } = params
        if (!caller && !(await findApplication(ctx.reads, applicationId))) {
          throw new Failure('not_found', `Application not found: ${applicationId}`)
        }
        const { overlap_hours: overlapHours = 24 } = body
        const signingSecret = await rotateSigningSecret(ctx, { applicationId, overlapHours })
        return created({ ...view(signingSecret), secret: signingSecret.secret })
      },
    }),
  ]
}

function view({ id, secret, dateCreated, expiresAt }: SigningSecret) {
  return {
    id,
    begins_with: secret.slice(0, 10),
    date_created: dateCreated.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  }
}

export const signingRoutes: Route[] = secretRoutesUnder('')
export const signingAdminRoutes: Route[] = secretRoutesUnder('/operator')
