import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { pathsOf } from '../../../api/paths.ts'
import type { Application } from '../../../api/types.ts'
import { useAuthScheme, useBase } from '../../../app/auth-schemes.ts'

/** The application whose pages are shown, as it was read last. */
export const Shown = createContext<Application | undefined>(undefined)

export function useShown() {
  const application = useContext(Shown)
  if (!application) throw new Error('shown within an application’s pages only')
  const authScheme = useAuthScheme()
  const base = `${useBase()}/applications/${application.id}`
  return { application, authScheme, base, paths: pathsOf(authScheme, application.id) }
}

export function useApplicationId(): string {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id ?? ''
}
