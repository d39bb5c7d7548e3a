import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import { invalidatePaths, useApiQuery } from '../../../api/queries.ts'
import { ConfirmDialog } from '../../../design/ConfirmDialog.tsx'
import { Page, Section } from '../../../design/Page.tsx'
import { EmptyState, QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { SensitiveError } from '../accounts/SensitiveError.tsx'
import { PermissionList } from './PermissionList.tsx'
import { RoleForm } from './RoleForm.tsx'
import { useRoleDescription } from './role-description.ts'
import { translations } from './translations.ts'
import type { Role, RoleList } from './types.ts'

/** A role: what it allows, and the form that changes one of your own. */
export default function RolePage() {
  const t = useTranslations(translations)
  const describe = useRoleDescription()
  const { roleName = '' } = useParams({ strict: false }) as { roleName?: string }
  const query = useApiQuery<RoleList>('/operator/roles', { authScheme: 'operator' })
  const role = query.data?.roles.find(({ name }) => name === roleName)
  return (
    <Page
      actions={role && <RoleActions role={role} />}
      lead={role && describe(role)}
      title={`${t('role')}: ${roleName}`}
    >
      <QueryContent lines={12} of={query}>
        {(list) =>
          role ? <RoleContent list={list} role={role} /> : <UnknownRole name={roleName} />
        }
      </QueryContent>
    </Page>
  )
}

function RoleContent({ role, list }: { role: Role; list: RoleList }) {
  const t = useTranslations(translations)
  const [isSaved, setIsSaved] = useState(false)
  const [reloads, setReloads] = useState(0)
  if (role.is_built_in) {
    return (
      <Section lead={t('builtInLead')} title={t('permissions')}>
        <PermissionList of={role.permissions} />
      </Section>
    )
  }
  return (
    <Section>
      <RoleForm
        key={`${role.name} ${reloads}`}
        list={list}
        name={role.name}
        reloaded={() => setReloads(reloads + 1)}
        saved={() => setIsSaved(true)}
        start={role}
        version={role.etag}
      />
      <div aria-live="polite">{isSaved && <Text>{t('saved')}</Text>}</div>
    </Section>
  )
}

function RoleActions({ role: { name, is_built_in } }: { role: Role }) {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => callApi('DELETE', `/operator/roles/${name}`, { authScheme: 'operator' }),
    onSuccess: async () => {
      await navigate({ to: '/operator/roles' })
      await invalidatePaths('/operator/roles')
    },
    onSettled: () => setIsAsking(false),
  })
  return (
    <>
      <Button component={Link} to={`/operator/new-role?from=${name}`} variant="default">
        {t('copy')}
      </Button>
      {!is_built_in && (
        <Button onClick={() => setIsAsking(true)} variant="default">
          {t('remove')}
        </Button>
      )}
      <SensitiveError of={remove} />
      <ConfirmDialog
        action={t('remove')}
        cancel={() => setIsAsking(false)}
        confirm={() => remove.mutate()}
        isBusy={remove.isPending}
        lead={t('removeLead')}
        opened={isAsking}
        title={t('removeTitle', { name })}
      />
    </>
  )
}

function UnknownRole({ name }: { name: string }) {
  const t = useTranslations(translations)
  return (
    <section className="surface">
      <EmptyState
        action={
          <Button component={Link} to="/operator/roles">
            {t('toRoles')}
          </Button>
        }
        title={t('unknown', { name })}
      >
        {t('unknownLead')}
      </EmptyState>
    </section>
  )
}
