import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../../api/queries.ts'
import { DataTable } from '../../../design/DataTable.tsx'
import { Icon } from '../../../design/icons.tsx'
import { Page } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { PageLink } from '../components.tsx'
import { useRoleDescription } from './role-description.ts'
import { translations } from './translations.ts'
import type { RoleList } from './types.ts'

/** Lists the roles of operators. */
export default function Roles() {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const describe = useRoleDescription()
  const query = useApiQuery<RoleList>('/operator/roles', { authScheme: 'operator' })
  return (
    <Page
      actions={
        <Button
          component={Link}
          leftSection={<Icon name="plus" size={18} />}
          to="/operator/new-role"
        >
          {t('newRole')}
        </Button>
      }
      lead={t('lead')}
      title={t('title')}
    >
      <section className="surface">
        <QueryContent lines={8} of={query}>
          {({ roles }) => (
            <DataTable
              caption={t('title')}
              columns={[
                {
                  key: 'role',
                  title: t('role'),
                  keepsLine: true,
                  render: ({ name }) => (
                    <PageLink to={`/operator/roles/${name}`}>
                      <span className="mono">{name}</span>
                    </PageLink>
                  ),
                },
                { key: 'description', title: t('description'), render: describe },
                {
                  key: 'permissions',
                  title: t('permissions'),
                  render: ({ permissions }) => number(permissions.length),
                },
                {
                  key: 'kind',
                  title: t('kind'),
                  render: (role) => t(role.is_built_in ? 'builtIn' : 'own'),
                },
              ]}
              keyOf={({ name }) => name}
              rows={roles}
            />
          )}
        </QueryContent>
      </section>
    </Page>
  )
}
