import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

const emptyDraft = { current: '', password: '' }

/** Changes the own password, which ends the other sessions. */
export function PasswordForm() {
  const t = useTranslations(translations)
  const [draft, setDraft] = useState(emptyDraft)
  const change = useMutation({
    mutationFn: ({ current, password }: typeof draft) =>
      callApi('PUT', '/operator/accounts/me/password', {
        authScheme: 'operator',
        body: { current_password: current, password },
      }),
    onSuccess: async () => {
      setDraft(emptyDraft)
      await invalidatePaths('/operator/sessions')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(draft)
  }
  const isWrong = change.error instanceof ApiError && change.error.code === 'sign_in_failed'
  return (
    <Section lead={t('passwordLead')} title={t('password')}>
      <form onSubmit={submit}>
        <Stack gap="md" maw="28rem">
          <PasswordInput
            autoComplete="current-password"
            error={isWrong && t('wrongPassword')}
            label={t('currentPassword')}
            maxLength={200}
            onChange={({ currentTarget }) => setDraft({ ...draft, current: currentTarget.value })}
            required
            value={draft.current}
          />
          <PasswordInput
            autoComplete="new-password"
            description={t('newPasswordHint')}
            label={t('newPassword')}
            maxLength={200}
            minLength={12}
            onChange={({ currentTarget }) => setDraft({ ...draft, password: currentTarget.value })}
            required
            value={draft.password}
          />
          <Group>
            <Button loading={change.isPending} type="submit" variant="default">
              {t('changePassword')}
            </Button>
          </Group>
          <div aria-live="polite">{change.isSuccess && <Text>{t('passwordChanged')}</Text>}</div>
          {change.error && !isWrong && <ErrorState error={change.error} />}
        </Stack>
      </form>
    </Section>
  )
}
