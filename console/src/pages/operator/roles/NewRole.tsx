import { useNavigate } from '@tanstack/react-router'
import { useApiQuery } from '../../../api/queries.ts'
import { Page, Section } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { useAddressParameters } from '../address.ts'
import { RoleForm } from './RoleForm.tsx'
import { translations } from './translations.ts'
import type { RoleList } from './types.ts'

/** Creates a role, as a copy of the role `from` of the address if there is one. */
export default function NewRole() {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const [{ from }] = useAddressParameters()
  const query = useApiQuery<RoleList>('/operator/roles', { authScheme: 'operator' })
  return (
    <Page lead={t('newRoleLead')} title={t('newRole')}>
      <Section>
        <QueryContent lines={12} of={query}>
          {(list) => (
            <RoleForm
              list={list}
              saved={(name) => void navigate({ to: `/operator/roles/${name}` })}
              start={list.roles.find(({ name }) => name === from)}
            />
          )}
        </QueryContent>
      </Section>
    </Page>
  )
}
