import { Button, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useContext, useState } from 'react'
import { signInObstacle, startSignIn } from '../../api/oauth.ts'
import { useSettings } from '../../api/queries.ts'
import { type AuthScheme, useSession } from '../../api/session.ts'
import { Page } from '../../design/Page.tsx'
import { ErrorState } from '../../design/States.tsx'
import { useTranslations } from '../../i18n/text.ts'
import { OperatorSignIn } from './OperatorSignIn.tsx'
import { SignInCard } from './SignInCard.tsx'
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
