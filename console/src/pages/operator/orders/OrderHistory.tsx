import { Text } from '@mantine/core'
import { useApiQuery } from '../../../api/queries.ts'
import { Section } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { OperatorChange } from '../history/OperatorChange.tsx'
import { EventDetails } from './EventDetails.tsx'
import { eventTranslations, orderTranslations } from './order-translations.ts'
import type { OrderHistoryBody } from './types.ts'

type Item =
  | { at: string; event: OrderHistoryBody['events'][number] }
  | { at: string; entry: OrderHistoryBody['audit'][number] }

/** Returns what happened and what operators changed, the oldest first. A change is before the events that it caused. */
function itemsOf({ events, audit }: OrderHistoryBody): Item[] {
  return [
    ...audit.toReversed().map((entry) => ({ at: entry.date, entry })),
    ...events.map((event) => ({ at: event.at, event })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** What happened and who changed it, the oldest first, and which notifications were made of it. */
export function OrderHistory({ path }: { path: string }) {
  const t = useTranslations(orderTranslations)
  const { moment } = useFormats()
  const query = useApiQuery<OrderHistoryBody>(`${path}/history`, { authScheme: 'operator' })
  return (
    <Section lead={t('historyLead')} title={t('history')}>
      <QueryContent of={query}>
        {(history) => (
          <ol className="timeline">
            {itemsOf(history).map((item) => (
              <li key={keyOf(item)}>
                <time className="quiet" dateTime={item.at}>
                  {moment(item.at)}
                </time>
                {'entry' in item ? (
                  <OperatorChange entry={item.entry} />
                ) : (
                  <OrderEvent changes={history.changes} event={item.event} />
                )}
              </li>
            ))}
          </ol>
        )}
      </QueryContent>
    </Section>
  )
}

function keyOf(item: Item): string {
  if ('entry' in item) return item.entry.id
  const { at, kind, resource, details } = item.event
  return `${at} ${kind} ${resource} ${JSON.stringify(details)}`
}

function OrderEvent({
  event: { at, kind, resource, details },
  changes,
}: {
  event: OrderHistoryBody['events'][number]
  changes: OrderHistoryBody['changes']
}) {
  const t = useTranslations(orderTranslations)
  const eventName = useTranslations(eventTranslations)
  const topics = changes
    .filter((each) => each.at === at && each.resource === resource)
    .map(({ topic }) => topic)
  return (
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
  )
}
