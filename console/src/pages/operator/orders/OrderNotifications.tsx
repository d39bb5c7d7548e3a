import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { NamedStatus, PageLink, UserLink } from '../components.tsx'
import { orderTranslations } from './order-translations.ts'
import type { OrderNotificationList } from './types.ts'

const initiallyShown = 12

/** The notifications of an order, with their applications and outcomes. */
export function OrderNotifications({ path }: { path: string }) {
  const t = useTranslations(orderTranslations)
  const { moment } = useFormats()
  const [isWhole, setWhole] = useState(false)
  const query = useApiQuery<OrderNotificationList>(`${path}/notifications`, {
    authScheme: 'operator',
  })
  return (
    <Section flush lead={t('notificationsLead')} title={t('notifications')}>
      <QueryContent of={query}>
        {({ applications, notifications }) =>
          notifications.length === 0 ? (
            <EmptyState title={t('noneNotified')}>
              {t(applications.length === 0 ? 'noneAuthorized' : 'noneNotifiedReason')}
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption={t('notifications')}
                columns={[
                  {
                    key: 'application',
                    title: t('application'),
                    render: (each) => (
                      <PageLink to={`/operator/applications/${each.application_id}`}>
                        {each.application_name}
                      </PageLink>
                    ),
                  },
                  {
                    key: 'topic',
                    title: t('topic'),
                    render: ({ topic, resource }) => (
                      <>
                        <span className="mono id">{topic}</span>
                        <Text className="mono quiet id" size="xs">
                          {resource}
                        </Text>
                      </>
                    ),
                  },
                  {
                    key: 'user',
                    title: t('user'),
                    render: (each) => <UserLink id={each.user_id} />,
                  },
                  {
                    key: 'received',
                    title: t('received'),
                    render: (each) => moment(each.received),
                  },
                  {
                    key: 'outcome',
                    title: t('outcome'),
                    render: ({ outcome, http_code }) => (
                      <>
                        <NamedStatus kind="notification" of={outcome ?? 'waiting'} />{' '}
                        {http_code !== null && <span className="mono">{http_code}</span>}
                      </>
                    ),
                  },
                  { key: 'attempts', title: t('attempts'), render: ({ attempts }) => attempts },
                ]}
                keyOf={({ _id }) => _id}
                rows={isWhole ? notifications : notifications.slice(0, initiallyShown)}
              />
              {!isWhole && notifications.length > initiallyShown && (
                <Group justify="center" p="md">
                  <Button onClick={() => setWhole(true)} size="xs" variant="default">
                    {t('all', { n: notifications.length })}
                  </Button>
                </Group>
              )}
            </>
          )
        }
      </QueryContent>
    </Section>
  )
}
