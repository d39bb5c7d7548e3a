import { Type } from 'typebox'
import { created, ok, type Route, route } from '../../http/route.ts'
import { permitWhole, takesWhole } from '../../identity/owned/owner.ts'
import { findApplication } from '../../identity/store.ts'
import { Failure } from '../../kernel/failure.ts'
import { Id, OrNull, Strict, Timestamp } from '../../kernel/schema.ts'
import { rotateSecret } from './commands.ts'
import { listSecrets, type SigningSecret } from './store.ts'

const tag = 'Operator: deliveries'
const ofApplication = Type.Object({ application_id: Id })

const SecretAnswer = Type.Object({
  id: Type.String(),
  begins_with: Type.String(),
  date_created: Timestamp,
  expires_at: OrNull(Timestamp),
})

/** The same for who acts for the application as a whole and, under a prefix, for the operator. */
function secretsUnder(prefix: '' | '/operator'): Route[] {
  const isOperators = prefix === '/operator'
  const url = `${prefix}/applications/:application_id/signing-secrets`
  const common = {
    url,
    tag: isOperators ? tag : 'Notifications',
    params: ofApplication,
    permit: permitWhole,
  } as const
  const says = isOperators ? '' : ` ${takesWhole}`
  return [
    route({
      ...common,
      method: 'GET',
      scope: isOperators ? 'operator' : 'read',
      summary: 'What the deliveries of an application are signed with',
      description: `Those in force, the newest first. A secret is shown whole only when it is made.${says}`,
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
      summary: 'Give an application a new signing secret',
      description: `It signs from now on. For \`overlap_hours\` the ones before it sign too, in the same header, so that a receiver can change without missing one. At most five are in force at a time; with \`overlap_hours\` 0 the others end at once.${says}`,
      body: Strict({
        overlap_hours: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 168, description: '24 unless said otherwise' }),
        ),
      }),
      answers: {
        201: Type.Object({ ...SecretAnswer.properties, secret: Type.String() }),
      },
      async handle(ctx, { params, body, caller }) {
        const { application_id: applicationId } = params
        if (!caller && !(await findApplication(ctx.reads, applicationId))) {
          throw new Failure('not_found', `Application not found: ${applicationId}`)
        }
        const { overlap_hours: overlapHours = 24 } = body
        const made = await rotateSecret(ctx, { applicationId, overlapHours })
        return created({ ...view(made), secret: made.secret })
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

export const signingRoutes: Route[] = secretsUnder('')
export const signingAdminRoutes: Route[] = secretsUnder('/operator')
