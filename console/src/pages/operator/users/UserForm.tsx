import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi, type Versioned } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { statusNames } from '../components.tsx'
import { useSiteOptions } from '../sites.ts'
import { translations } from './translations.ts'
import type { User } from './types.ts'

/** Creates or changes a user. Fields that the form does not show keep their values. */
export function UserForm({ user, done }: { user?: Versioned<User>; done: (id: number) => void }) {
  const t = useTranslations(translations)
  const statusName = useTranslations(statusNames)
  const sites = useSiteOptions()
  const siteId: string = user?.site_id ?? 'MLA'
  const [draft, setDraft] = useState({
    id: user ? String(user.id) : '',
    nickname: user?.nickname ?? '',
    site_id: siteId,
    email: user?.email ?? '',
    first_name: user?.first_name ?? '',
    last_name: user?.last_name ?? '',
    status: user?.status ?? 'active',
  })
  const save = useMutation({
    mutationFn: () => {
      const { id, email, first_name, last_name, ...rest } = draft
      const { phone, alternative_phone, billing_info } = user ?? {}
      const body = {
        ...(user ? { phone, alternative_phone, billing_info } : {}),
        ...rest,
        email: email || null,
        first_name: first_name || null,
        last_name: last_name || null,
      }
      return callApi('PUT', `/operator/users/${id}`, {
        authScheme: 'operator',
        body,
        ifMatch: user?.etag,
      })
    },
    onSuccess: async () => {
      await invalidatePaths('/operator/users', '/users')
      done(Number(draft.id))
    },
  })
  const field = (name: keyof typeof draft, more: object = {}) => (
    <TextInput
      label={t(name === 'id' ? 'number' : (name as 'nickname'))}
      onChange={({ currentTarget }) => setDraft((now) => ({ ...now, [name]: currentTarget.value }))}
      value={draft[name]}
      {...more}
    />
  )
  const reload = () => {
    save.reset()
    void invalidatePaths('/operator/users')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {!user &&
            field('id', { required: true, pattern: '[1-9][0-9]{0,15}', inputMode: 'numeric' })}
          {field('nickname', { required: true, maxLength: 60 })}
          <NativeSelect
            data={sites}
            label={t('site')}
            onChange={({ currentTarget }) =>
              setDraft((now) => ({ ...now, site_id: currentTarget.value }))
            }
            value={draft.site_id}
          />
          <NativeSelect
            data={[
              { value: 'active', label: statusName('user.active') },
              { value: 'deactivated', label: statusName('user.deactivated') },
            ]}
            label={t('status')}
            onChange={({ currentTarget }) =>
              setDraft((now) => ({
                ...now,
                status: currentTarget.value === 'active' ? 'active' : 'deactivated',
              }))
            }
            value={draft.status}
          />
          {field('first_name', { maxLength: 100 })}
          {field('last_name', { maxLength: 100 })}
          {field('email', { type: 'email', maxLength: 254 })}
        </SimpleGrid>
        {save.error && <ErrorState error={save.error} reload={reload} />}
        <Group>
          <Button loading={save.isPending} type="submit">
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
