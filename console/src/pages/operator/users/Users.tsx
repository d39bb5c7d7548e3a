import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useListSite } from '../../../api/operator-sites.ts'
import { useApiQuery } from '../../../api/queries.ts'
import { useCursorHistory } from '../../../design/cursor-history.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Icon } from '../../../design/icons.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { SideDrawer } from '../../../design/SideDrawer.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { NamedStatus, Pager, UserLink } from '../components.tsx'
import { translations } from './translations.ts'
import type { UserList } from './types.ts'
import { UserForm } from './UserForm.tsx'

export default function Users() {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const [parameters, setParameters] = useAddressParameters()
  const { nickname = '', after = '' } = parameters
  const trail = useCursorHistory(after)
  const [text, setText] = useState(nickname)
  const [isNew, setNew] = useState(false)
  const site = useListSite()
  const query = useApiQuery<UserList>(
    '/operator/users',
    { authScheme: 'operator', query: { nickname, after, limit: 25, site_id: site } },
    { keepsLast: true },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (/^\d+$/.test(wanted)) void navigate({ to: `/operator/users/${wanted}` })
    else setParameters({ nickname: wanted })
  }
  return (
    <Page
      actions={
        <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setNew(true)}>
          {t('register')}
        </Button>
      }
      lead={t('lead')}
      title={t('title')}
    >
      <Section>
        <form onSubmit={submit}>
          <div className="actions">
            <TextInput
              description={t('searchHint')}
              label={t('user')}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              style={{ flex: '1 1 16rem' }}
              value={text}
            />
            <Button leftSection={<Icon name="search" size={18} />} type="submit" variant="default">
              {t('search')}
            </Button>
          </div>
        </form>
      </Section>
      <section className="surface">
        <QueryContent lines={10} of={query}>
          {({ users, next_after }) =>
            users.length === 0 ? (
              <EmptyState {...(nickname ? {} : { command: 'feria seed' })} title={t('none')}>
                {t(nickname ? 'noneSo' : 'noneLead')}
              </EmptyState>
            ) : (
              <>
                <DataTable
                  caption={t('title')}
                  columns={[
                    {
                      key: 'nickname',
                      title: t('nickname'),
                      render: (user) => <UserLink id={user.id} nickname={user.nickname} />,
                    },
                    {
                      key: 'id',
                      title: t('number'),
                      render: ({ id }) => <span className="mono">{id}</span>,
                    },
                    { key: 'site', title: t('site'), render: ({ site_id }) => site_id },
                    {
                      key: 'name',
                      title: t('name'),
                      render: (user) =>
                        [user.first_name, user.last_name].filter(Boolean).join(' ') || '–',
                    },
                    {
                      key: 'status',
                      title: t('status'),
                      render: ({ status }) => <NamedStatus kind="user" of={status} />,
                    },
                  ]}
                  keyOf={({ id }) => String(id)}
                  rows={users}
                />
                <Pager
                  back={after === '' ? undefined : () => setParameters({ nickname })}
                  before={
                    trail.before === undefined
                      ? undefined
                      : () => setParameters({ nickname, after: trail.before ?? '' })
                  }
                  on={
                    next_after === null
                      ? undefined
                      : () => {
                          trail.leave()
                          setParameters({ nickname, after: String(next_after) })
                        }
                  }
                />
              </>
            )
          }
        </QueryContent>
      </section>
      <SideDrawer close={() => setNew(false)} opened={isNew} title={t('register')}>
        <UserForm done={(id) => void navigate({ to: `/operator/users/${id}` })} />
      </SideDrawer>
    </Page>
  )
}
