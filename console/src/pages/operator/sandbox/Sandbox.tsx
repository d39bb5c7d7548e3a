import { useSettings } from '../../../api/queries.ts'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { useAvailablePaths } from './available-paths.ts'
import { Clock } from './Clock.tsx'
import { AnswerFaults } from './faults/AnswerFaults.tsx'
import { OrderPartFaults } from './faults/OrderParts.tsx'
import { ReceiverFaults } from './faults/ReceiverFaults.tsx'
import { Simulations } from './Simulations.tsx'
import { Snapshots } from './Snapshots.tsx'
import { Triggers } from './Triggers.tsx'
import { translations } from './translations.ts'

export default function Sandbox() {
  const t = useTranslations(translations)
  const settings = useSettings()
  const has = useAvailablePaths()
  return (
    <Page lead={t('lead')} title={t('title')}>
      <QueryContent of={settings}>
        {({ mode }) =>
          mode !== 'sandbox' ? (
            <Section>
              <EmptyState command="FERIA_MODE=sandbox feria start" title={t('production')}>
                {t('productionLead')}
              </EmptyState>
            </Section>
          ) : (
            <>
              <Clock />
              {has('/operator/sandbox/triggers') && <Triggers />}
              {has('/operator/sandbox/simulations') && <Simulations />}
              <ReceiverFaults />
              {has('/operator/sandbox/answer-faults') ? <AnswerFaults /> : <OrderPartFaults />}
              {has('/operator/sandbox/snapshots') && <Snapshots />}
            </>
          )
        }
      </QueryContent>
    </Page>
  )
}
