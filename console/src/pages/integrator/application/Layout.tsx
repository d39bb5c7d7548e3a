import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { applicationPathsOf } from '../../../api/paths.ts'
import { useApiQuery } from '../../../api/queries.ts'
import type { Application } from '../../../api/types.ts'
import { useAuthScheme, useBasePath } from '../../../app/auth-schemes.ts'
import { CopyableText } from '../../../design/CopyButton.tsx'
import { Page } from '../../../design/Page.tsx'
import { QueryContent } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { ApplicationContext, useApplicationId } from './application.ts'
import { translations } from './translations.ts'

const tabs = ['overview', 'feed', 'explain', 'replays', 'grants', 'settings'] as const

/** One application: its name, and its pages as tabs. */
export default function ApplicationLayout() {
  const t = useTranslations(translations)
  const authScheme = useAuthScheme()
  const id = useApplicationId()
  const base = `${useBasePath()}/applications/${id}`
  const { pathname } = useLocation()
  const strip = useRef<HTMLElement>(null)
  // On a phone not all tabs have room: the one that is shown does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another tab
  useEffect(() => {
    const active = strip.current?.querySelector('[data-status=active]')
    active?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  const query = useApiQuery<Application>(applicationPathsOf(authScheme, id).application, {
    authScheme,
  })
  return (
    <Page
      lead={query.data && <CopyableText text={String(query.data.id)} />}
      title={query.data?.name ?? t('application')}
    >
      <nav aria-label={t('application')} className="tabs" ref={strip}>
        {tabs.map((tab) => (
          <Link
            activeOptions={{ exact: tab === 'overview', includeSearch: false }}
            className="tab"
            key={tab}
            to={tab === 'overview' ? base : `${base}/${tab}`}
          >
            {t(tab)}
          </Link>
        ))}
      </nav>
      <QueryContent of={query}>
        {(application) => (
          <ApplicationContext value={application}>
            <Outlet />
          </ApplicationContext>
        )}
      </QueryContent>
    </Page>
  )
}
