import { useSettings } from '../../../api/queries.ts'
import { Page, Section } from '../../../design/Page.tsx'
import { Empty, Loaded } from '../../../design/States.tsx'
import { useText } from '../../../i18n/text.ts'
import { useAvailablePaths } from './available-paths.ts'
import { Clock } from './Clock.tsx'
import { AnswerFaults } from './faults/AnswerFaults.tsx'
import { OrderParts } from './faults/OrderParts.tsx'
import { ReceiverFaults } from './faults/ReceiverFaults.tsx'
import { Simulations } from './Simulations.tsx'
import { Snapshots } from './Snapshots.tsx'
import { Triggers } from './Triggers.tsx'
import { translations } from './translations.ts'

export default function Sandbox() {
  const t = useText(translations)
  const settings = useSettings()
  const has = useAvailablePaths()
  return (
    <Page lead={t('lead')} title={t('title')}>
      <Loaded of={settings}>
        {({ mode }) =>
          mode !== 'sandbox' ? (
            <Section>
              <Empty command="FERIA_MODE=sandbox feria start" title={t('production')}>
                {t('productionLead')}
              </Empty>
            </Section>
          ) : (
            <>
              <Clock />
              {has('/operator/sandbox/triggers') && <Triggers />}
              {has('/operator/sandbox/simulations') && <Simulations />}
              <ReceiverFaults />
              {has('/operator/sandbox/answer-faults') ? <AnswerFaults /> : <OrderParts />}
              {has('/operator/sandbox/snapshots') && <Snapshots />}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
