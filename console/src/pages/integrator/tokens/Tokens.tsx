import { Stack } from '@mantine/core'
import { curlCommandOf } from '../../../api/curl.ts'
import { useSession } from '../../../api/session.ts'
import type { AccessToken } from '../../../api/types.ts'
import { CodeBlock } from '../../../design/CodeBlock.tsx'
import { Secret } from '../../../design/CopyButton.tsx'
import { Page } from '../../../design/Page.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { OperatorTokenForm } from './AnyToken.tsx'
import { OwnTokenForm } from './OwnToken.tsx'
import { TestUserForm } from './TestUser.tsx'
import { translations } from './translations.ts'

/** Creates tokens and test users, as the user, the operator or both. */
export default function Tokens() {
  const t = useTranslations(translations)
  const { user, operatorToken } = useSession()
  return (
    <Page lead={t('lead')} title={t('title')}>
      {user && <OwnTokenForm />}
      {operatorToken !== null && <OperatorTokenForm />}
      {user && <TestUserForm />}
    </Page>
  )
}

/** A token, once, with a call to paste. */
export function CreatedToken({ token }: { token: AccessToken }) {
  const t = useTranslations(translations)
  const headers = { authorization: `Bearer ${token.access_token}` }
  const url = `${location.origin}/users/me`
  return (
    <Stack gap="sm">
      <Secret name={t('token', { user: token.user_id })} text={token.access_token} />
      <CodeBlock label={t('curl')} text={curlCommandOf({ method: 'GET', url, headers })} />
    </Stack>
  )
}
