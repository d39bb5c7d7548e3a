import { Button } from '@mantine/core'
import { useGet } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { Empty, Loaded } from '../../../design/States.tsx'
import { useTrail } from '../../../design/trail.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useNames, useText } from '../../../i18n/text.ts'
import { useAddress } from '../address.ts'
import type { OrderFigures } from '../overview/types.ts'
import { Pager, Status, To, UserLink } from '../pieces.tsx'
import { UserPicker } from '../UserPicker.tsx'
import { substatusTranslations, translations } from './translations.ts'
import type { Listed } from './types.ts'

export default function Conversations() {
  const t = useText(translations)
  const substatusName = useNames(substatusTranslations)
  const { number, moment } = useFormats()
  const [parameters, setParameters] = useAddress()
  const { seller = '', before = '' } = parameters
  const trail = useTrail(before)
  const found = useGet<{ conversations: Listed[]; next_before: number | null }>(
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
        <Begin pick={(id) => setParameters({ seller: id })} />
      ) : (
        <section className="surface">
          <Loaded of={found}>
            {({ conversations, next_before }) =>
              conversations.length === 0 ? (
                <Empty command="feria trigger messages" title={t('none')}>
                  {t('noneLead')}
                </Empty>
              ) : (
                <>
                  <DataTable
                    caption={t('title')}
                    columns={[
                      {
                        key: 'pack',
                        title: t('pack'),
                        show: ({ pack_id, seller_id }) => (
                          <To to={`/operator/conversations/${pack_id}/${seller_id}`}>
                            <span className="mono">{pack_id}</span>
                          </To>
                        ),
                      },
                      {
                        key: 'buyer',
                        title: t('buyer'),
                        show: (each) => (
                          <UserLink id={each.buyer_id} nickname={each.buyer_nickname} />
                        ),
                      },
                      { key: 'n', title: t('messages'), show: (each) => number(each.messages) },
                      {
                        key: 'last',
                        title: t('last'),
                        show: (each) => moment(each.last_message_at),
                      },
                      {
                        key: 'block',
                        title: t('state'),
                        show: ({ block }) =>
                          block === null ? (
                            <Status kind="conversation" of="active" />
                          ) : (
                            <>
                              <Status kind="conversation" of="blocked" />{' '}
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
          </Loaded>
        </section>
      )}
    </Page>
  )
}

function Begin({ pick }: { pick: (id: string) => void }) {
  const t = useText(translations)
  const figures = useGet<OrderFigures>('/operator/orders/figures', {
    authScheme: 'operator',
    query: { days: 92 },
  })
  return (
    <Section>
      <Loaded of={figures}>
        {({ sellers }) => (
          <Empty
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
          </Empty>
        )}
      </Loaded>
    </Section>
  )
}
