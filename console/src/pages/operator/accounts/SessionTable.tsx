import { Button, Text } from '@mantine/core'
import { DataTable, type TableColumn } from '../../../design/DataTable.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { sessionTranslations } from './session-translations.ts'
import type { OperatorSession } from './types.ts'

/** Lists the sessions of an account. With `end`, each can be ended. */
export function SessionTable({
  sessions,
  end,
}: {
  sessions: readonly OperatorSession[]
  end?: (session: OperatorSession) => void
}) {
  const t = useTranslations(sessionTranslations)
  const { moment } = useFormats()
  const columns: TableColumn<OperatorSession>[] = [
    {
      key: 'program',
      title: t('program'),
      render: ({ user_agent, network, is_current }) => (
        <div>
          <Text style={{ overflowWrap: 'anywhere' }}>{user_agent ?? '–'}</Text>
          <Text className="quiet mono" size="sm">
            {network}
          </Text>
          {is_current && <StatusBadge tone="info">{t('thisSession')}</StatusBadge>}
        </div>
      ),
    },
    { key: 'created', title: t('created'), render: ({ date_created }) => moment(date_created) },
    { key: 'used', title: t('lastUsed'), render: ({ last_used }) => moment(last_used) },
    { key: 'expires', title: t('expires'), render: ({ expires_at }) => moment(expires_at) },
  ]
  if (end) {
    columns.push({
      key: 'actions',
      title: t('actions'),
      render: (session) => (
        <Button
          aria-label={`${t(session.is_current ? 'signOut' : 'end')}: ${moment(session.date_created)}`}
          onClick={() => end(session)}
          size="compact-sm"
          variant="default"
        >
          {t(session.is_current ? 'signOut' : 'end')}
        </Button>
      ),
    })
  }
  return <DataTable caption={t('title')} columns={columns} keyOf={({ id }) => id} rows={sessions} />
}
