import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { applicationPathsOf } from '../../../api/paths.ts'
import type { Application } from '../../../api/types.ts'
import { useAuthScheme, useBasePath } from '../../../app/auth-schemes.ts'

/** The application whose pages are shown, as it was read last. */
export const ApplicationContext = createContext<Application | undefined>(undefined)

export function useCurrentApplication() {
  const application = useContext(ApplicationContext)
  if (!application) throw new Error('shown within an application’s pages only')
  const authScheme = useAuthScheme()
  const base = `${useBasePath()}/applications/${application.id}`
  return { application, authScheme, base, paths: applicationPathsOf(authScheme, application.id) }
}

export function useApplicationId(): string {
  const { id } = useParams({ strict: false }) as { id?: string }
  return id ?? ''
}
