import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '../../../api/client.ts'
import { signInOperator, signOutOperator } from '../../../api/operator.ts'
import { forgetAnswers } from '../../../api/queries.ts'
import { getSession, useSession } from '../../../api/session.ts'
import type { ResponseBody } from '../../../api/types.ts'
import { Page, Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

const invitationPattern = /^feria_invitation_[0-9a-f]{64}$/

/** Accepts the invitation of the link. It is the fragment of the address, which browsers send to no server. */
export default function InvitationPage() {
  const t = useTranslations(translations)
  const { hash } = useLocation()
  return (
    <Page lead={t('lead')} title={t('title')}>
      <Section>
        {invitationPattern.test(hash) ? (
          <AcceptanceForm invitation={hash} key={hash} />
        ) : (
          <NextStep lead={t('incompleteLead')} title={t('incomplete')} />
        )}
      </Section>
    </Page>
  )
}

function AcceptanceForm({ invitation }: { invitation: string }) {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const { operatorToken } = useSession()
  const [password, setPassword] = useState('')
  const accept = useMutation({
    mutationFn: () =>
      callApi<ResponseBody<'/operator/invitations/accept', 'post'>>(
        'POST',
        '/operator/invitations/accept',
        { body: { invitation, password } },
      ),
  })
  const signIn = useMutation({
    mutationFn: async (email: string) => {
      if (getSession().operatorToken !== null) await signOutOperator()
      forgetAnswers()
      await signInOperator({ email, password })
    },
    // The link is spent: going back must not lead to it.
    onSuccess: () => navigate({ to: '/operator/account', replace: true }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate(undefined, { onSuccess: ({ email }) => signIn.mutate(email) })
  }
  if (accept.data && signIn.isError) {
    const { email } = accept.data
    return <NextStep lead={t('acceptedLead', { email })} title={t('accepted')} />
  }
  if (accept.error instanceof ApiError && accept.error.status === 404) {
    return <NextStep lead={t('unusableLead')} title={t('unusable')} />
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw="28rem">
        {operatorToken !== null && !accept.data && (
          <div className="note" data-tone="info">
            {t('replacesSession')}
          </div>
        )}
        <PasswordInput
          autoComplete="new-password"
          description={t('passwordHint')}
          label={t('password')}
          maxLength={200}
          minLength={12}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          required
          value={password}
        />
        <Button loading={accept.isPending || accept.isSuccess} type="submit">
          {t('accept')}
        </Button>
        {accept.error && <ErrorState error={accept.error} />}
      </Stack>
    </form>
  )
}

/** Says why there is nothing to accept, and what to do next. */
function NextStep({ title, lead }: { title: string; lead: string }) {
  const t = useTranslations(translations)
  return (
    <Stack align="flex-start" gap="md">
      <div role="alert">
        <Text fw={650}>{title}</Text>
        <Text>{lead}</Text>
      </div>
      <Button component={Link} to="/" variant="default">
        {t('signIn')}
      </Button>
    </Stack>
  )
}
