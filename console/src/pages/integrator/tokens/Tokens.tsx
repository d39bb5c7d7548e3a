import { Stack } from '@mantine/core'
import { curlOf } from '../../../api/curl.ts'
import { useSession } from '../../../api/session.ts'
import type { AccessToken } from '../../../api/types.ts'
import { CodeBlock } from '../../../design/CodeBlock.tsx'
import { Secret } from '../../../design/CopyButton.tsx'
import { Page } from '../../../design/Page.tsx'
import { useText } from '../../../i18n/text.ts'
import { AnyToken } from './AnyToken.tsx'
import { OwnToken } from './OwnToken.tsx'
import { TestUser } from './TestUser.tsx'
import { translations } from './translations.ts'

/** Creates tokens and test users, as the user, the operator or both. */
export default function Tokens() {
  const t = useText(translations)
  const { user, operatorToken } = useSession()
  return (
    <Page lead={t('lead')} title={t('title')}>
      {user && <OwnToken />}
      {operatorToken !== null && <AnyToken />}
      {user && <TestUser />}
    </Page>
  )
}

/** A token, once, with a call to paste. */
export function Made({ token }: { token: AccessToken }) {
  const t = useText(translations)
  const headers = { authorization: `Bearer ${token.access_token}` }
  const url = `${location.origin}/users/me`
  return (
    <Stack gap="sm">
      <Secret name={t('token', { user: token.user_id })} text={token.access_token} />
      <CodeBlock label={t('curl')} text={curlOf({ method: 'GET', url, headers })} />
    </Stack>
  )
}
