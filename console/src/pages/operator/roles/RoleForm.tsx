import { Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi, type Versioned } from '../../../api/client.ts'
import { usePermissions } from '../../../api/own-account.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import type { OperatorPermission } from '../../../api/types.ts'
import { useTranslations } from '../../../i18n/text.ts'
import { SensitiveError } from '../accounts/SensitiveError.tsx'
import { permissionTranslations } from './permission-translations.ts'
import { translations } from './translations.ts'
import type { Role, RoleBody, RoleList } from './types.ts'

/** Creates a role, or changes the one whose name is given. `start` is what the fields begin with. */
export function RoleForm({
  name: changedName,
  start,
  version,
  list,
  saved,
  reloaded,
}: {
  name?: string
  start?: Pick<Role, 'description' | 'permissions'> | undefined
  /** The version of the role that changes. */
  version?: string | undefined
  list: RoleList
  saved: (name: string) => void
  /** Called when the present role is loaded after a conflict. */
  reloaded?: (() => void) | undefined
}) {
  const t = useTranslations(translations)
  const permissionName = useTranslations(permissionTranslations)
  const hasPermission = usePermissions()
  const [newName, setNewName] = useState('')
  const [description, setDescription] = useState(start?.description ?? '')
  const [permissions, setPermissions] = useState<OperatorPermission[]>(start?.permissions ?? [])
  // The page may load a later version, which the fields do not show.
  const [etag, setEtag] = useState(version)
  const name = changedName ?? newName.trim()
  // `PUT` would replace the other role.
  const isTaken = changedName === undefined && list.roles.some((role) => role.name === name)
  const save = useMutation({
    mutationFn: (body: RoleBody) =>
      callApi<Versioned<Role>>('PUT', `/operator/roles/${name}`, {
        authScheme: 'operator',
        body,
        ifMatch: etag,
        readsEtag: true,
      }),
    onSuccess: async (changed) => {
      setEtag(changed.etag)
      await invalidatePaths('/operator/roles', '/operator/accounts')
      saved(name)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isTaken) save.mutate({ description: description.trim() || null, permissions })
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {changedName === undefined && (
              <TextInput
                description={t('nameHint')}
                error={isTaken && t('nameTaken')}
                label={t('name')}
                maxLength={40}
                minLength={2}
                onChange={({ currentTarget }) => setNewName(currentTarget.value)}
                pattern="[a-z][a-z0-9\-]*"
                required
                value={newName}
              />
            )}
            <TextInput
              description={t('descriptionHint')}
              label={t('description')}
              maxLength={500}
              onChange={({ currentTarget }) => setDescription(currentTarget.value)}
              value={description}
            />
          </SimpleGrid>
          <Checkbox.Group
            description={t('permissionsHint')}
            label={t('permissions')}
            onChange={(values) => setPermissions(values as OperatorPermission[])}
            value={permissions}
          >
            <SimpleGrid cols={{ base: 1, md: 2 }} mt="sm" spacing="xs">
              {list.permissions.map(({ id }) => (
                <Checkbox
                  description={<span className="mono">{id}</span>}
                  disabled={!hasPermission(id)}
                  key={id}
                  label={permissionName(id)}
                  value={id}
                />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Group>
            <Button loading={save.isPending} type="submit">
              {t(changedName === undefined ? 'create' : 'save')}
            </Button>
          </Group>
        </Stack>
      </form>
      <SensitiveError of={save} path="/operator/roles" reloaded={reloaded} />
    </>
  )
}
