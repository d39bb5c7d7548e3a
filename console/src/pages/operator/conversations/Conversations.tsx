import { Button } from '@mantine/core'
import { useApiQuery } from '../../../api/queries.ts'
import { useCursorHistory } from '../../../design/cursor-history.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { NamedStatus, PageLink, Pager, UserLink } from '../components.tsx'
import type { OrderFigures } from '../overview/types.ts'
import { UserPicker } from '../UserPicker.tsx'
import { substatusTranslations, translations } from './translations.ts'
import type { ConversationList } from './types.ts'

export default function Conversations() {
  const t = useTranslations(translations)
  const substatusName = useCodeNames(substatusTranslations)
  const { number, moment } = useFormats()
  const [parameters, setParameters] = useAddressParameters()
  const { seller = '', before = '' } = parameters
  const trail = useCursorHistory(before)
  const query = useApiQuery<ConversationList>(
    '/operator/conversations',
    { authScheme: 'operator', query: { seller_id: seller, before, limit: 25 } },
    { enabled: seller !== '' },
  )
  return (
    <Page lead={t('lead')} title={t('title')}>
      <Section>
        <UserPicker
          label={t('seller')}
          pick={(id) => {
            if (id !== seller) setParameters({ seller: id })
          }}
          value={seller}
        />
      </Section>
      {seller === '' ? (
        <SellerPrompt pick={(id) => setParameters({ seller: id })} />
      ) : (
        <section className="surface">
          <QueryContent of={query}>
            {({ conversations, next_before }) =>
              conversations.length === 0 ? (
                <EmptyState command="feria trigger messages" title={t('none')}>
                  {t('noneLead')}
                </EmptyState>
              ) : (
                <>
                  <DataTable
                    caption={t('title')}
                    columns={[
                      {
                        key: 'pack',
                        title: t('pack'),
                        render: ({ pack_id, seller_id }) => (
                          <PageLink to={`/operator/conversations/${pack_id}/${seller_id}`}>
                            <span className="mono">{pack_id}</span>
                          </PageLink>
                        ),
                      },
                      {
                        key: 'buyer',
                        title: t('buyer'),
                        render: (each) => (
                          <UserLink id={each.buyer_id} nickname={each.buyer_nickname} />
                        ),
                      },
                      { key: 'n', title: t('messages'), render: (each) => number(each.messages) },
                      {
                        key: 'last',
                        title: t('last'),
                        render: (each) => moment(each.last_message_at),
                      },
                      {
                        key: 'block',
                        title: t('state'),
                        render: ({ block }) =>
                          block === null ? (
                            <NamedStatus kind="conversation" of="active" />
                          ) : (
                            <>
                              <NamedStatus kind="conversation" of="blocked" />{' '}
                              <span title={block}>{substatusName(block)}</span>
                            </>
                          ),
                      },
                    ]}
                    keyOf={({ pack_id }) => String(pack_id)}
                    rows={conversations}
                  />
                  <Pager
                    back={before === '' ? undefined : () => setParameters({ seller })}
                    before={
                      trail.before === undefined
                        ? undefined
                        : () => setParameters({ seller, before: trail.before ?? '' })
                    }
                    on={
                      next_before === null
                        ? undefined
                        : () => {
                            trail.leave()
                            setParameters({ seller, before: String(next_before) })
                          }
                    }
                  />
                </>
              )
            }
          </QueryContent>
        </section>
      )}
    </Page>
  )
}

function SellerPrompt({ pick }: { pick: (id: string) => void }) {
  const t = useTranslations(translations)
  const figures = useApiQuery<OrderFigures>('/operator/orders/figures', {
    authScheme: 'operator',
    query: { days: 92 },
  })
  return (
    <Section>
      <QueryContent of={figures}>
        {({ sellers }) => (
          <EmptyState
            {...(sellers.length === 0 ? { command: 'feria seed' } : {})}
            action={sellers.slice(0, 6).map(({ user_id, nickname }) => (
              <Button
                key={user_id}
                onClick={() => pick(String(user_id))}
                size="sm"
                variant="default"
              >
                {nickname || user_id}
              </Button>
            ))}
            title={t('whose')}
          >
            {t('whoseLead')}
          </EmptyState>
        )}
      </QueryContent>
    </Section>
  )
}
