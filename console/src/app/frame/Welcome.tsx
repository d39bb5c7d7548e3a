import { Button, PasswordInput, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useContext, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { signInObstacle, startSignIn } from '../../api/oauth.ts'
import { checkOperatorToken } from '../../api/operator.ts'
import { useSettings } from '../../api/queries.ts'
import { type AuthScheme, saveSession, useSession } from '../../api/session.ts'
import { Page } from '../../design/Page.tsx'
import { ErrorState } from '../../design/States.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { SignInErrorContext } from './sign-in-error.ts'
import { translations } from './translations.ts'

const leadKeys = { user: 'needsUser', operator: 'needsOperator', either: 'needsEither' } as const

/** The home page, and the sign-in of other pages. `needed` is the auth scheme that the page requires. */
export function Welcome({ needed }: { needed?: AuthScheme | 'either' | undefined }) {
  const t = useTranslations(translations)
  const problem = useContext(SignInErrorContext)
  return (
    <Page lead={t(needed ? leadKeys[needed] : 'welcomeLead')} title={t('welcome')}>
      {problem && (
        <div className="note" data-tone="bad" role="alert">
          <Text fw={650}>{t('signInFailed')}</Text>
          <Text className="mono" lang="en">
            {problem}
          </Text>
        </div>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {needed !== 'operator' && <UserSignIn />}
        {needed !== 'user' && <OperatorSignIn />}
      </SimpleGrid>
    </Page>
  )
}

function SignInCard({
  title,
  lead,
  children,
}: {
  title: string
  lead: string
  children: ReactNode
}) {
  return (
    <section className="surface">
      <Stack gap="md" p="xl">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text className="quiet">{lead}</Text>
        {children}
      </Stack>
    </section>
  )
}

function UserSignIn() {
  const t = useTranslations(translations)
  const { user } = useSession()
  const { data } = useSettings()
  const [error, setError] = useState<Error>()
  const start = () => startSignIn(location.pathname + location.search).catch(setError)
  return (
    <SignInCard lead={t('developerLead')} title={t('developer')}>
      {user ? (
        <>
          <Text>{t('signedInAs', { name: user.nickname })}</Text>
          <Button component={Link} to="/applications">
            {t('toApplications')}
          </Button>
        </>
      ) : signInObstacle() ? (
        <Text>{t('insecure')}</Text>
      ) : (
        <>
          <Button onClick={() => void start()}>{t('signIn')}</Button>
          {data?.demo && (
            <Text className="quiet" size="sm">
              {t('demo', { nickname: data.demo.nickname, password: data.demo.password })}
            </Text>
          )}
        </>
      )}
      {error && <ErrorState error={error} />}
    </SignInCard>
  )
}

function OperatorSignIn() {
  const t = useTranslations(translations)
  const { operatorToken } = useSession()
  const { data } = useSettings()
  const [token, setToken] = useState('')
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const enter = async (operatorToken: string) => {
    setBusy(true)
    setError(undefined)
    try {
      await checkOperatorToken(operatorToken)
      saveSession({ operatorToken })
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void enter(token.trim())
  }
  const isWrong = error instanceof ApiError && error.status === 401
  return (
    <SignInCard lead={t('operatorLead')} title={t('operatorTitle')}>
      {operatorToken !== null ? (
        <>
          <Text>{t('asOperator')}</Text>
          <Button component={Link} to="/operator" variant="default">
            {t('toOperator')}
          </Button>
        </>
      ) : (
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
            <Button loading={isBusy} type="submit" variant="default">
              {t('enter')}
            </Button>
            {data?.operator_token && (
              <Button
                onClick={() => void enter(data.operator_token ?? '')}
                size="compact-sm"
                variant="subtle"
              >
                {t('useSandbox')}
              </Button>
            )}
          </Stack>
        </form>
      )}
      {error && !isWrong && <ErrorState error={error} />}
    </SignInCard>
  )
}
