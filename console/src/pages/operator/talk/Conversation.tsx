import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/queries.ts'
import { Facts, Page, Section } from '../../../design/Page.tsx'
import { Empty, ErrorState, Loading } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { OrderLink, Status, UserLink } from '../pieces.tsx'
import { Bubble } from './Bubble.tsx'
import type { ConversationState, Thread } from './types.ts'
import { words } from './words.ts'

export default function Conversation() {
  const t = useText(words)
  const { packId = '', sellerId = '' } = useParams({ strict: false }) as Record<string, string>
  const path = `/operator/conversations/packs/${packId}/sellers/${sellerId}`
  const found = useInfiniteQuery({
    queryKey: ['operator', path],
    queryFn: ({ pageParam, signal }) =>
      call<Thread>('GET', path, {
        door: 'operator',
        query: { limit: 50, after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const thread = found.data?.pages[0]
  const messages = found.data?.pages.flatMap((page) => page.messages).toReversed() ?? []
  return (
    <Page lead={t('threadLead')} title={t('thread')}>
      {found.error && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Loading lines={8} />}
      {thread && (
        <>
          <About path={path} thread={thread} />
          <Section title={t('messages')}>
            {messages.length === 0 ? (
              <Empty title={t('silent')}>{t('silentLead')}</Empty>
            ) : (
              <Stack gap="md">
                {found.hasNextPage && (
                  <Group justify="center">
                    <Button
                      loading={found.isFetchingNextPage}
                      onClick={() => void found.fetchNextPage()}
                      size="xs"
                      variant="default"
                    >
                      {t('earlier')}
                    </Button>
                  </Group>
                )}
                <ol className="thread">
                  {messages.map((message) => (
                    <Bubble key={message.id} message={message} sellerId={thread.seller_id} />
                  ))}
                </ol>
              </Stack>
            )}
          </Section>
        </>
      )}
    </Page>
  )
}

function About({ thread, path }: { thread: Thread; path: string }) {
  const t = useText(words)
  const { moment } = useFormats()
  const change = useMutation({
    mutationFn: (block: string | null) =>
      call('PATCH', path, { door: 'operator', body: { block } }),
    onSuccess: () => refresh(path, '/operator/conversations'),
  })
  const standing = ({ status, substatus }: ConversationState) => (
    <>
      <Status of={status} /> {substatus && <span className="mono">{substatus}</span>}
    </>
  )
  return (
    <Section>
      <Facts
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
          [t('forSeller'), standing(thread.status_for_seller)],
          [t('forBuyer'), standing(thread.status_for_buyer)],
          [
            t('ended'),
            thread.block === null ? (
              t('notEnded')
            ) : (
              <span key="block">
                <span className="mono">{thread.block}</span>, {moment(thread.date_blocked)}
              </span>
            ),
          ],
        ]}
      />
      {change.error && <ErrorState error={change.error} />}
      <Group gap="sm">
        {thread.block === null ? (
          <>
            <Button
              loading={change.isPending}
              onClick={() => change.mutate('blocked_by_restrictions')}
              size="xs"
              variant="default"
            >
              {t('endForBoth')}
            </Button>
            <Button
              loading={change.isPending}
              onClick={() => change.mutate('blocked_by_buyer')}
              size="xs"
              variant="default"
            >
              {t('endForSeller')}
            </Button>
          </>
        ) : (
          <Button
            loading={change.isPending}
            onClick={() => change.mutate(null)}
            size="xs"
            variant="default"
          >
            {t('goOn')}
          </Button>
        )}
        <Text className="quiet" size="sm">
          {t('unread')}
        </Text>
      </Group>
    </Section>
  )
}
