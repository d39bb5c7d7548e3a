import { Text } from '@mantine/core'
import { useApiQuery } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { EventDetails } from './EventDetails.tsx'
import { eventTranslations, orderTranslations } from './order-translations.ts'
import type { OrderHistoryBody } from './types.ts'

/** What happened, the oldest first, and which notifications were made of it. */
export function OrderHistory({ path }: { path: string }) {
  const t = useTranslations(orderTranslations)
  const eventName = useTranslations(eventTranslations)
  const { moment } = useFormats()
  const query = useApiQuery<OrderHistoryBody>(`${path}/history`, { authScheme: 'operator' })
  return (
    <Section lead={t('historyLead')} title={t('history')}>
      <QueryContent of={query}>
        {({ events, changes }) => (
          <ol className="timeline">
            {events.map(({ at, kind, resource, details }) => {
              const topics = changes
                .filter((each) => each.at === at && each.resource === resource)
                .map(({ topic }) => topic)
              return (
                <li key={`${at} ${kind} ${resource} ${JSON.stringify(details)}`}>
                  <time className="quiet" dateTime={at}>
                    {moment(at)}
                  </time>
                  <div>
                    <Text fw={600} span>
                      {eventName(kind)}
                    </Text>{' '}
                    <span className="mono quiet">{resource}</span>
                    <EventDetails details={details} kind={kind} />
                    {topics.length > 0 && (
                      <Text className="quiet" size="sm">
                        {t('notifiedTopics', { topics: [...new Set(topics)].join(', ') })}
                      </Text>
                    )}
                  </div>
                </li>
              )
            })}
          </ol>
        )}
      </QueryContent>
    </Section>
  )
}
