import { useCodeNames } from '../../../i18n/text.ts'
import { translations } from './translations.ts'
import type { Role } from './types.ts'

/** Returns the function that says what a role is for. Built-in roles are described by the console. */
export function useRoleDescription(): (role: Role) => string {
  const name = useCodeNames(translations)
  return (role) =>
    role.is_built_in ? name(`builtIn.${role.name}`, '–') : (role.description ?? '–')
}
