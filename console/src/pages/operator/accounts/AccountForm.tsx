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

const accountsPath = '/operator/accounts'

/** Changes the name of an account, its role and the sites that it is limited to. After a conflict, it begins again with
 * the present ones. */
export function AccountForm({ account }: { account: Account }) {
  const [reloads, setReloads] = useState(0)
  return <AccountFields account={account} key={reloads} reloaded={() => setReloads(reloads + 1)} />
}

function AccountFields({ account, reloaded }: { account: Account; reloaded: () => void }) {
  const t = useTranslations(translations)
  const [draft, setDraft] = useState({
    name: account.name,
    role: account.role,
    sites: account.sites?.join(', ') ?? '',
  })
  // The page may load a later version, which the fields do not show.
  const [etag, setEtag] = useState(account.etag)
  const save = useMutation({
    mutationFn: (body: AccountChange) =>
      callApi<Account>('PATCH', `${accountsPath}/${account.id}`, {
        authScheme: 'operator',
        body,
        ifMatch: etag,
        readsEtag: true,
      }),
    onSuccess: (changed) => {
      setEtag(changed.etag)
      return invalidatePaths(accountsPath)
    },
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
      <SensitiveError of={save} path={accountsPath} reloaded={reloaded} />
      <div aria-live="polite">{save.isSuccess && <Text>{t('saved')}</Text>}</div>
    </Section>
  )
}
