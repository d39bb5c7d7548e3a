import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { cancelAwaitedCode, signInWithCode, startProviderFlow } from '../../api/openid.ts'
import { ErrorState } from '../../design/States.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { translations } from './translations.ts'

/** Leads to the identity provider of the company. `name` is that of the provider. */
export function ProviderButton({ name }: { name: string }) {
  const t = useTranslations(translations)
  const start = useMutation({ mutationFn: () => startProviderFlow('sign-in') })
  return (
    <>
      <Button loading={start.isPending} onClick={() => start.mutate()} variant="default">
        {t('signInWith', { name })}
      </Button>
      {start.error && <ErrorState error={start.error} />}
    </>
  )
}

/** Takes the code of an account with two-factor authentication after the provider. */
export function ProviderCodeForm({ cancel }: { cancel: () => void }) {
  const t = useTranslations(translations)
  const [code, setCode] = useState('')
  const signIn = useMutation({ mutationFn: () => signInWithCode(code) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const { error } = signIn
  const isWrong = error instanceof ApiError && error.code === 'sign_in_failed'
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          autoComplete="one-time-code"
          autoFocus
          description={t('codeHint')}
          error={isWrong && t('wrongProviderCode')}
          label={t('code')}
          maxLength={40}
          minLength={6}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          required
          value={code}
        />
        {error && !isWrong && <ErrorState error={error} />}
        <Group>
          <Button loading={signIn.isPending} type="submit">
            {t('signInOperator')}
          </Button>
          <Button
            onClick={() => {
              cancelAwaitedCode()
              cancel()
            }}
            variant="default"
          >
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
