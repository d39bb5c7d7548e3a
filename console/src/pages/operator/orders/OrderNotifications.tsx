import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Section } from '../../../design/Page.tsx'
import { Empty, Loaded } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { Status, To, UserLink } from '../pieces.tsx'
import { orderTranslations } from './order-translations.ts'
import type { OrderNotificationList } from './types.ts'

const shownFirst = 12

/** The notifications of an order, with their applications and outcomes. */
export function OrderNotifications({ path }: { path: string }) {
  const t = useText(orderTranslations)
  const { moment } = useFormats()
  const [isWhole, setWhole] = useState(false)
  const query = useGet<OrderNotificationList>(`${path}/notifications`, { authScheme: 'operator' })
  return (
    <Section flush lead={t('notificationsLead')} title={t('notifications')}>
      <Loaded of={query}>
        {({ applications, notifications }) =>
          notifications.length === 0 ? (
            <Empty title={t('noneNotified')}>
              {t(applications.length === 0 ? 'noneAuthorized' : 'noneNotifiedReason')}
            </Empty>
          ) : (
            <>
              <DataTable
                caption={t('notifications')}
                columns={[
                  {
                    key: 'application',
                    title: t('application'),
                    show: (each) => (
                      <To to={`/operator/applications/${each.application_id}`}>
                        {each.application_name}
                      </To>
                    ),
                  },
                  {
                    key: 'topic',
                    title: t('topic'),
                    show: ({ topic, resource }) => (
                      <>
                        <span className="mono id">{topic}</span>
                        <Text className="mono quiet id" size="xs">
                          {resource}
                        </Text>
                      </>
                    ),
                  },
                  { key: 'user', title: t('user'), show: (each) => <UserLink id={each.user_id} /> },
                  { key: 'received', title: t('received'), show: (each) => moment(each.received) },
                  {
                    key: 'outcome',
                    title: t('outcome'),
                    show: ({ outcome, http_code }) => (
                      <>
                        <Status kind="notification" of={outcome ?? 'waiting'} />{' '}
                        {http_code !== null && <span className="mono">{http_code}</span>}
                      </>
                    ),
                  },
                  { key: 'attempts', title: t('attempts'), show: ({ attempts }) => attempts },
                ]}
                keyOf={({ _id }) => _id}
                rows={isWhole ? notifications : notifications.slice(0, shownFirst)}
              />
              {!isWhole && notifications.length > shownFirst && (
                <Group justify="center" p="md">
                  <Button onClick={() => setWhole(true)} size="xs" variant="default">
                    {t('all', { n: notifications.length })}
                  </Button>
                </Group>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
