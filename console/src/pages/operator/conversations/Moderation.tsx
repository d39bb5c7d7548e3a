import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { useListSite } from '../../../api/operator-sites.ts'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../design/States.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { PageLink } from '../components.tsx'
import { useSiteOptions } from '../sites.ts'
import { HeldMessageActions, HighlightedText } from './Bubble.tsx'
import { Terms } from './Terms.tsx'
import { reasonTranslations, translations } from './translations.ts'
import type { ModeratedPage, ModerationVerdict } from './types.ts'

export default function Moderation() {
  const t = useTranslations(translations)
  return (
    <Page lead={t('moderationLead')} title={t('moderation')}>
      <HeldMessages />
      <TextCheckForm />
      <Terms />
    </Page>
  )
}

const moderatedPath = '/operator/messages/moderated'

/** The messages that moderation holds back, newest first, with the buttons to release them. */
function HeldMessages() {
  const t = useTranslations(translations)
  const { moment } = useFormats()
  const site = useListSite()
  const heldPages = useInfiniteQuery({
    queryKey: ['operator', moderatedPath, site],
    queryFn: ({ pageParam, signal }) =>
      callApi<ModeratedPage>('GET', moderatedPath, {
        authScheme: 'operator',
        query: { limit: 20, after: pageParam, site_id: site },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const messages = heldPages.data?.pages.flatMap((page) => page.messages) ?? []
  return (
    <Section lead={t('heldLead')} title={t('held')}>
      {heldPages.error && (
        <ErrorState error={heldPages.error} retry={() => void heldPages.refetch()} />
      )}
      {heldPages.isPending && <LoadingState />}
      {heldPages.data && messages.length === 0 && (
        <EmptyState title={t('noneHeld')}>{t('noneHeldLead')}</EmptyState>
      )}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {messages.map((message) => {
          // The first resource is the pack, the second the seller.
          const [packId, sellerId] = message.message_resources.map(({ id }) => id)
          const writer = String(message.from.user_id) === sellerId ? 'seller' : 'buyer'
          return (
            <li className="held" key={message.id}>
              <Stack className="surface" gap="xs" p="md">
                <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  <HighlightedText finding={message.finding} text={message.text} />
                </Text>
                <Group gap="sm">
                  <Text className="quiet" size="sm">
                    {t(writer)}, {moment(message.message_date.created)}, {message.site_id}
                  </Text>
                  <PageLink to={`/operator/conversations/${packId}/${sellerId}`}>
                    {t('toConversation')}
                  </PageLink>
                </Group>
                <HeldMessageActions message={message} />
              </Stack>
            </li>
          )
        })}
      </Stack>
      {heldPages.hasNextPage && (
        <Group justify="center">
          <Button
            loading={heldPages.isFetchingNextPage}
            onClick={() => void heldPages.fetchNextPage()}
            size="xs"
            variant="default"
          >
            {t('olderMessages')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

/** Checks a text against moderation without sending it. */
function TextCheckForm() {
  const t = useTranslations(translations)
  const reasonName = useCodeNames(reasonTranslations)
  const sites = useSiteOptions()
  const [text, setText] = useState('')
  const [site, setSite] = useState('MLA')
  const [writer, setWriter] = useState('seller')
  const check = useMutation({
    mutationFn: () =>
      callApi<ModerationVerdict>('POST', '/operator/moderation/try', {
        authScheme: 'operator',
        body: { text, site_id: site, writer },
      }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    check.mutate()
  }
  const { data } = check
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
              check.reset()
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
            <Button loading={check.isPending} type="submit" variant="default">
              {t('check')}
            </Button>
            <div role="status">
              {data && (
                <Group gap="sm">
                  <StatusBadge tone={data.status === 'clean' ? 'good' : 'bad'}>
                    {t(data.status === 'clean' ? 'wouldSend' : 'wouldHold')}
                  </StatusBadge>
                  {data.reason && <span title={data.reason}>{reasonName(data.reason)}</span>}
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
          {check.error && <ErrorState error={check.error} />}
        </Stack>
      </form>
    </Section>
  )
}
