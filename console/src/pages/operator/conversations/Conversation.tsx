import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { callApi, type Versioned } from '../../../api/client.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { DefinitionList, Page, Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { NamedStatus, OrderLink, UserLink } from '../components.tsx'
import { HistorySection } from '../history/HistorySection.tsx'
import { MessageBubble } from './Bubble.tsx'
import { substatusTranslations, translations } from './translations.ts'
import type { ConversationBody, ConversationState } from './types.ts'

export default function Conversation() {
  const t = useTranslations(translations)
  const { packId = '', sellerId = '' } = useParams({ strict: false }) as Record<string, string>
  const path = `/operator/conversations/packs/${packId}/sellers/${sellerId}`
  const conversationQuery = useInfiniteQuery({
    queryKey: ['operator', path],
    queryFn: ({ pageParam, signal }) =>
      callApi<Versioned<ConversationBody>>('GET', path, {
        readsEtag: true,
        authScheme: 'operator',
        query: { limit: 50, after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const thread = conversationQuery.data?.pages[0]
  const messages = conversationQuery.data?.pages.flatMap((page) => page.messages).toReversed() ?? []
  return (
    <Page lead={t('conversationLead')} title={t('conversation')}>
      {conversationQuery.error && (
        <ErrorState
          error={conversationQuery.error}
          retry={() => void conversationQuery.refetch()}
        />
      )}
      {conversationQuery.isPending && <LoadingState lines={8} />}
      {thread && (
        <>
          <ConversationDetails path={path} thread={thread} />
          <Section title={t('messages')}>
            {messages.length === 0 ? (
              <EmptyState title={t('noMessages')}>{t('noMessagesLead')}</EmptyState>
            ) : (
              <Stack gap="md">
                {conversationQuery.hasNextPage && (
                  <Group justify="center">
                    <Button
                      loading={conversationQuery.isFetchingNextPage}
                      onClick={() => void conversationQuery.fetchNextPage()}
                      size="xs"
                      variant="default"
                    >
                      {t('earlier')}
                    </Button>
                  </Group>
                )}
                <ol className="thread">
                  {messages.map((message) => (
                    <MessageBubble key={message.id} message={message} sellerId={thread.seller_id} />
                  ))}
                </ol>
              </Stack>
            )}
          </Section>
          <HistorySection path={path} />
        </>
      )}
    </Page>
  )
}

function ConversationDetails({
  thread,
  path,
}: {
  thread: Versioned<ConversationBody>
  path: string
}) {
  const t = useTranslations(translations)
  const substatusName = useCodeNames(substatusTranslations)
  const { moment } = useFormats()
  const change = useMutation({
    mutationFn: (block: string | null) =>
      callApi('PATCH', path, { authScheme: 'operator', body: { block }, ifMatch: thread.etag }),
    onSuccess: () => invalidatePaths(path, '/operator/conversations'),
  })
  const reload = () => {
    change.reset()
    void invalidatePaths(path)
  }
  const stateOf = ({ status, substatus }: ConversationState) => (
    <>
      <NamedStatus kind="conversation" of={status} />{' '}
      {substatus && <span title={substatus}>{substatusName(substatus)}</span>}
    </>
  )
  return (
    <Section>
      <DefinitionList
        of={[
          [t('seller'), <UserLink id={thread.seller_id} key="s" />],
          [t('buyer'), <UserLink id={thread.buyer_id} key="b" />],
          [
            t('orders'),
            <Group gap="sm" key="orders">
              {thread.order_ids.map((id) => (
                <OrderLink id={id} key={id} />
              ))}
            </Group>,
          ],
          [t('forSeller'), stateOf(thread.status_for_seller)],
          [t('forBuyer'), stateOf(thread.status_for_buyer)],
          [
            t('blocked'),
            thread.block === null ? (
              t('notBlocked')
            ) : (
              <span key="block">
                <span title={thread.block}>{substatusName(thread.block)}</span>,{' '}
                {moment(thread.date_blocked)}
              </span>
            ),
          ],
        ]}
      />
      {change.error && <ErrorState error={change.error} reload={reload} />}
      <Group gap="sm">
        {thread.block === null ? (
          <>
            <Button
              loading={change.isPending}
              onClick={() => change.mutate('blocked_by_restrictions')}
              size="xs"
              variant="default"
            >
              {t('blockForBoth')}
            </Button>
            <Button
              loading={change.isPending}
              onClick={() => change.mutate('blocked_by_buyer')}
              size="xs"
              variant="default"
            >
              {t('blockForSeller')}
            </Button>
          </>
        ) : (
          <Button
            loading={change.isPending}
            onClick={() => change.mutate(null)}
            size="xs"
            variant="default"
          >
            {t('unblock')}
          </Button>
        )}
        <Text className="quiet" size="sm">
          {t('effective')}
        </Text>
      </Group>
    </Section>
  )
}
