import { Secret } from '../../../design/CopyButton.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'
import type { Invitation } from './types.ts'

/** The link by which an operator accepts an invitation. It is not stored. */
export function InvitationLink({
  invitation: { account, url, expires_at },
}: {
  invitation: Invitation
}) {
  const t = useTranslations(translations)
  const { moment } = useFormats()
  const name = t('invitation', { email: account.email, date: moment(expires_at) })
  return <Secret name={name} text={url} />
}
