import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { isAwaitingCode } from '../../api/openid.ts'
import { checkOperatorToken, signInOperator } from '../../api/operator.ts'
import { useOperatorSites } from '../../api/operator-sites.ts'
import { usePermissions } from '../../api/own-account.ts'
import { useSettings } from '../../api/queries.ts'
import { saveSession, useSession } from '../../api/session.ts'
import { ErrorState } from '../../design/States.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { ProviderButton, ProviderCodeForm } from './ProviderSignIn.tsx'
import { SignInCard } from './SignInCard.tsx'
import { translations } from './translations.ts'

/** Signs in with an operator account, with the identity provider of the settings, or with the operator token. */
export function OperatorSignIn() {
  const t = useTranslations(translations)
  const { operatorToken } = useSession()
  const hasPermission = usePermissions()
  const isLimited = useOperatorSites() !== null
  const provider = useSettings().data?.identity_provider
  const [takesCode, setTakesCode] = useState(isAwaitingCode)
  return (
    <SignInCard lead={t('operatorLead')} title={t('operatorTitle')}>
      {operatorToken !== null ? (
        <>
          <Text>{t('asOperator')}</Text>
          {hasPermission('orders:read') && !isLimited ? (
            <Button component={Link} to="/operator" variant="default">
              {t('toOperator')}
            </Button>
          ) : (
            <Button component={Link} to="/operator/account" variant="default">
              {t('toOwnAccount')}
            </Button>
          )}
        </>
      ) : takesCode ? (
        <ProviderCodeForm cancel={() => setTakesCode(false)} />
      ) : (
        <>
          {provider && (
            <>
              <ProviderButton name={provider.name} />
              <Divider label={t('or')} />
            </>
          )}
          <AccountForm />
          <Divider label={t('or')} />
          <TokenForm />
        </>
      )}
    </SignInCard>
  )
}

const hasCode = (error: unknown, code: string) => error instanceof ApiError && error.code === code

const focusInput = (input: HTMLInputElement | null) => input?.focus()

function AccountForm() {
  const t = useTranslations(translations)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [takesCode, setTakesCode] = useState(false)
  const signIn = useMutation({
    mutationFn: () =>
      signInOperator({ email: email.trim(), password, ...(takesCode ? { code } : {}) }),
    onError: (error) => {
      if (hasCode(error, 'code_required')) setTakesCode(true)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const isWrong = hasCode(signIn.error, 'sign_in_failed')
  const isExplained = isWrong || hasCode(signIn.error, 'code_required')
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          autoComplete="username"
          label={t('email')}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          required
          type="email"
          value={email}
        />
        <PasswordInput
          autoComplete="current-password"
          error={isWrong && t(takesCode ? 'wrongCode' : 'wrongPassword')}
          label={t('password')}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          required
          value={password}
        />
        {takesCode && (
          <TextInput
            autoComplete="one-time-code"
            description={t('codeHint')}
            label={t('code')}
            maxLength={40}
            minLength={6}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            ref={focusInput}
            required
            value={code}
          />
        )}
        <Button loading={signIn.isPending} type="submit">
          {t('signInOperator')}
        </Button>
        {signIn.error && !isExplained && <ErrorState error={signIn.error} />}
      </Stack>
    </form>
  )
}

function TokenForm() {
  const t = useTranslations(translations)
  const { data } = useSettings()
  const [token, setToken] = useState('')
  const enter = useMutation({
    mutationFn: async (operatorToken: string) => {
      await checkOperatorToken(operatorToken)
      saveSession({ operatorToken })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate(token.trim())
  }
  const isWrong = enter.error instanceof ApiError && enter.error.status === 401
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PasswordInput
          autoComplete="off"
          error={isWrong && t('wrongToken')}
          label={t('token')}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
          required
          value={token}
        />
        <Button loading={enter.isPending} type="submit" variant="default">
          {t('enter')}
        </Button>
        {data?.operator_token && (
          <Button
            onClick={() => enter.mutate(data.operator_token ?? '')}
            size="compact-sm"
            variant="subtle"
          >
            {t('useSandbox')}
          </Button>
        )}
        {enter.error && !isWrong && <ErrorState error={enter.error} />}
      </Stack>
    </form>
  )
}
