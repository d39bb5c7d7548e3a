import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { InvitationLink } from './InvitationLink.tsx'
import { RoleSelect } from './RoleSelect.tsx'
import { SensitiveError } from './SensitiveError.tsx'
import { parseSites, SitesInput } from './SitesInput.tsx'
import { translations } from './translations.ts'
import type { Invitation, NewAccount } from './types.ts'

const emptyDraft = { email: '', name: '', role: 'support', sites: '' }

/** Invites an operator and shows the link of the invitation. */
export function InvitationForm() {
  const t = useTranslations(translations)
  const [draft, setDraft] = useState(emptyDraft)
  const invite = useMutation({
    mutationFn: (body: NewAccount) =>
      callApi<Invitation>('POST', '/operator/accounts', { authScheme: 'operator', body }),
    onSuccess: async () => {
      setDraft(emptyDraft)
      await invalidatePaths('/operator/accounts')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { email, name, role, sites } = draft
    invite.mutate({ email: email.trim(), name, role, sites: parseSites(sites) })
  }
  return (
    <Section lead={t('inviteLead')} title={t('invite')}>
      <form onSubmit={submit}>
        <div className="actions">
          <TextInput
            label={t('email')}
            maxLength={254}
            onChange={({ currentTarget }) => setDraft({ ...draft, email: currentTarget.value })}
            required
            style={{ flex: '1 1 14rem' }}
            type="email"
            value={draft.email}
          />
          <TextInput
            label={t('name')}
            maxLength={120}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
            required
            style={{ flex: '1 1 12rem' }}
            value={draft.name}
          />
          <RoleSelect
            label={t('role')}
            onChange={(role) => setDraft({ ...draft, role })}
            value={draft.role}
          />
          <SitesInput onChange={(sites) => setDraft({ ...draft, sites })} value={draft.sites} />
          <Button loading={invite.isPending} type="submit" variant="default">
            {t('sendInvitation')}
          </Button>
        </div>
      </form>
      <SensitiveError of={invite} />
      {invite.data && <InvitationLink invitation={invite.data} />}
    </Section>
  )
}
