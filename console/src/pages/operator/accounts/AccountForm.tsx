import { Button, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { SensitiveError } from './SensitiveError.tsx'
import { parseSites, SitesInput } from './SitesInput.tsx'
import { translations } from './translations.ts'
import type { Account, AccountChange } from './types.ts'

/** Changes the name of an account, its role and the sites that it is limited to. */
export function AccountForm({ account }: { account: Account }) {
  const t = useTranslations(translations)
  const [draft, setDraft] = useState({
    name: account.name,
    role: account.role,
    sites: account.sites?.join(', ') ?? '',
  })
  const save = useMutation({
    mutationFn: (body: AccountChange) =>
      callApi('PATCH', `/operator/accounts/${account.id}`, { authScheme: 'operator', body }),
    onSuccess: () => invalidatePaths('/operator/accounts'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ ...draft, sites: parseSites(draft.sites) })
  }
  return (
    <Section lead={t('changeLead')} title={t('change')}>
      <form onSubmit={submit}>
        <div className="actions">
          <TextInput
            label={t('name')}
            maxLength={120}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
            required
            style={{ flex: '1 1 14rem' }}
            value={draft.name}
          />
          <RoleSelect
            label={t('role')}
            onChange={(role) => setDraft({ ...draft, role })}
            value={draft.role}
          />
          <SitesInput onChange={(sites) => setDraft({ ...draft, sites })} value={draft.sites} />
          <Button loading={save.isPending} type="submit" variant="default">
            {t('save')}
          </Button>
        </div>
      </form>
      <SensitiveError of={save} />
      <div aria-live="polite">{save.isSuccess && <Text>{t('saved')}</Text>}</div>
    </Section>
  )
}
