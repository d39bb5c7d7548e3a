import { Button, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { SensitiveError } from './SensitiveError.tsx'
import { translations } from './translations.ts'
import type { Account, AccountChange } from './types.ts'

/** Changes the name and the role of an account. */
export function AccountForm({ account }: { account: Account }) {
  const t = useTranslations(translations)
  const [draft, setDraft] = useState({ name: account.name, role: account.role })
  const save = useMutation({
    mutationFn: (body: AccountChange) =>
      callApi('PATCH', `/operator/accounts/${account.id}`, { authScheme: 'operator', body }),
    onSuccess: () => invalidatePaths('/operator/accounts'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
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
