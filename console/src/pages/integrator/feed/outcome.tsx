import { attemptOutcomes } from '../../../api/lists.ts'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** The outcome of an attempt, with the HTTP status. */
export function OutcomeBadge({ outcome, code }: { outcome: string; code: number | null }) {
  const t = useTranslations(translations)
  const knownOutcome = attemptOutcomes.find((each) => each === outcome)
  return (
    <StatusBadge tone={outcome === 'accepted' ? 'good' : 'bad'}>
      {knownOutcome ? t(knownOutcome) : outcome}
      {code === null ? '' : ` · ${code}`}
    </StatusBadge>
  )
}
