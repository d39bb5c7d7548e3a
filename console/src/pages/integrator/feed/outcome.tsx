import { outcomes } from '../../../api/lists.ts'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useText } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** The outcome of an attempt, with the HTTP status. */
export function OutcomeBadge({ outcome, code }: { outcome: string; code: number | null }) {
  const t = useText(translations)
  const known = outcomes.find((each) => each === outcome)
  return (
    <StatusBadge tone={outcome === 'accepted' ? 'good' : 'bad'}>
      {known ? t(known) : outcome}
      {code === null ? '' : ` · ${code}`}
    </StatusBadge>
  )
}
