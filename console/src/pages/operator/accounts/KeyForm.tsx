import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Secret } from '../../../design/CopyButton.tsx'
import { Section } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { keyTranslations } from './key-translations.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { SensitiveError } from './SensitiveError.tsx'
import { parseSites, SitesInput } from './SitesInput.tsx'
import type { NewKey, NewKeyBody } from './types.ts'

const emptyDraft = { name: '', role: 'read-only', sites: '', addresses: '', expires: '' }

/** Creates an API key and shows it, once. */
export function KeyForm() {
  const t = useTranslations(keyTranslations)
  const [draft, setDraft] = useState(emptyDraft)
  const create = useMutation({
    mutationFn: (body: NewKeyBody) =>
      callApi<NewKey>('POST', '/operator/keys', { authScheme: 'operator', body }),
    onSuccess: async () => {
      setDraft(emptyDraft)
      await invalidatePaths('/operator/keys')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { name, role, sites, addresses, expires } = draft
    create.mutate({
      name,
      role,
      sites: parseSites(sites),
      allowed_addresses: addresses.split(/[\s,]+/).filter(Boolean),
      expires_at: expires === '' ? null : new Date(expires).toISOString(),
    })
  }
  return (
    <Section lead={t('createLead')} title={t('createTitle')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              description={t('nameHint')}
              label={t('name')}
              maxLength={120}
              onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
              required
              value={draft.name}
            />
            <RoleSelect
              label={t('role')}
              onChange={(role) => setDraft({ ...draft, role })}
              value={draft.role}
            />
            <SitesInput onChange={(sites) => setDraft({ ...draft, sites })} value={draft.sites} />
            <TextInput
              description={t('addressesHint')}
              label={t('addresses')}
              onChange={({ currentTarget }) =>
                setDraft({ ...draft, addresses: currentTarget.value })
              }
              value={draft.addresses}
            />
            <TextInput
              description={t('expiresHint')}
              label={t('expires')}
              onChange={({ currentTarget }) => setDraft({ ...draft, expires: currentTarget.value })}
              type="datetime-local"
              value={draft.expires}
            />
          </SimpleGrid>
          <Group>
            <Button loading={create.isPending} type="submit" variant="default">
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
      <SensitiveError of={create} />
      {create.data && (
        <Secret name={t('newKey', { name: create.data.name })} text={create.data.key} />
      )}
    </Section>
  )
}
