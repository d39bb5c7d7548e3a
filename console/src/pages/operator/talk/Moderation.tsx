import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { Page, Section } from '../../../design/Page.tsx'
import { Empty, ErrorState, Loading } from '../../../design/States.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useText } from '../../../i18n/text.ts'
import { To } from '../pieces.tsx'
import { useSites } from '../sites.ts'
import { Held, Marked } from './Bubble.tsx'
import { Terms } from './Terms.tsx'
import type { Message, Verdict } from './types.ts'
import { words } from './words.ts'

export default function Moderation() {
  const t = useText(words)
  return (
    <Page lead={t('moderationLead')} title={t('moderation')}>
      <Queue />
      <Try />
      <Terms />
    </Page>
  )
}

const path = '/operator/messages/moderated'

function Queue() {
  const t = useText(words)
  const { moment } = useFormats()
  const found = useInfiniteQuery({
    queryKey: ['operator', path],
    queryFn: ({ pageParam, signal }) =>
      call<{ messages: Message[]; next: string | null }>('GET', path, {
        door: 'operator',
        query: { limit: 20, after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const messages = found.data?.pages.flatMap((page) => page.messages) ?? []
  return (
    <Section lead={t('queueLead')} title={t('queue')}>
      {found.error && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {found.data && messages.length === 0 && (
        <Empty title={t('nothingHeld')}>{t('nothingHeldLead')}</Empty>
      )}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {messages.map((message) => {
          const [pack, seller] = message.message_resources.map(({ id }) => id)
          const by = String(message.from.user_id) === seller ? 'seller' : 'buyer'
          return (
            <li className="held" key={message.id}>
              <Stack className="surface" gap="xs" p="md">
                <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  <Marked finding={message.finding} text={message.text} />
                </Text>
                <Group gap="sm">
                  <Text className="quiet" size="sm">
                    {t(by)}, {moment(message.message_date.created)}, {message.site_id}
                  </Text>
                  <To to={`/operator/conversations/${pack}/${seller}`}>{t('toThread')}</To>
                </Group>
                <Held message={message} />
              </Stack>
            </li>
          )
        })}
      </Stack>
      {found.hasNextPage && (
        <Group justify="center">
          <Button
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
            size="xs"
            variant="default"
          >
            {t('olderOnes')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

/** What moderation would say of a text. */
function Try() {
  const t = useText(words)
  const sites = useSites()
  const [text, setText] = useState('')
  const [site, setSite] = useState('MLA')
  const [writer, setWriter] = useState('seller')
  const judge = useMutation({
    mutationFn: () =>
      call<Verdict>('POST', '/operator/moderation/try', {
        door: 'operator',
        body: { text, site_id: site, writer },
      }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    judge.mutate()
  }
  const { data } = judge
  return (
    <Section lead={t('tryLead')} title={t('try')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Textarea
            autosize
            label={t('text')}
            maxLength={3500}
            minRows={2}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              judge.reset()
            }}
            required
            value={text}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect
              data={sites}
              label={t('site')}
              onChange={({ currentTarget }) => setSite(currentTarget.value)}
              value={site}
            />
            <NativeSelect
              data={[
                { value: 'seller', label: t('seller') },
                { value: 'buyer', label: t('buyer') },
              ]}
              label={t('writer')}
              onChange={({ currentTarget }) => setWriter(currentTarget.value)}
              value={writer}
            />
          </SimpleGrid>
          <Group>
            <Button loading={judge.isPending} type="submit" variant="default">
              {t('judge')}
            </Button>
            <div role="status">
              {data && (
                <Group gap="sm">
                  <StatusBadge tone={data.status === 'clean' ? 'good' : 'bad'}>
                    {t(data.status === 'clean' ? 'wouldPass' : 'wouldBeHeld')}
                  </StatusBadge>
                  {data.reason && <span className="mono">{data.reason}</span>}
                  {data.rule && <span className="mono quiet">{data.rule}</span>}
                  {data.from !== null && data.to !== null && (
                    <span className="held">
                      <mark>{text.slice(data.from, data.to)}</mark>
                    </span>
                  )}
                </Group>
              )}
            </div>
          </Group>
          {judge.error && <ErrorState error={judge.error} />}
        </Stack>
      </form>
    </Section>
  )
}
