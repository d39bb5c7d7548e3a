import { ActionIcon, AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { useTranslations } from '../../i18n/text.ts'
import { useRequiredAuthScheme } from '../auth-schemes.ts'
import { useIsPageReady } from './page-ready.ts'
import { Sidebar } from './Sidebar.tsx'
import { translations } from './translations.ts'
import { Welcome } from './Welcome.tsx'

/** The frame of every page: the navigation beside it, or behind a button on a phone. */
export function Shell() {
  const t = useTranslations(translations)
  const [opened, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  const isReady = useIsPageReady()
  const needed = useRequiredAuthScheme()
  const { user, operatorToken } = useSession()
  const isOpen =
    needed === undefined ||
    (needed !== 'operator' && user !== null) ||
    (needed !== 'user' && operatorToken !== null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={0}
    >
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header hiddenFrom="sm" px="md">
        <Group h="100%" justify="space-between">
          <BrandLink />
          <Burger aria-expanded={opened} aria-label={t('menu')} onClick={toggle} opened={opened} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        aria-label={t('navigation')}
        className="navbar"
        data-closed={opened ? undefined : ''}
        p="md"
      >
        <Group mb="lg" px="xs" visibleFrom="sm">
          <BrandLink />
        </Group>
        <Sidebar />
      </AppShell.Navbar>
      <AppShell.Main aria-busy={!isReady} id="content">
        <div style={{ maxWidth: '76rem', margin: '0 auto', padding: 'clamp(1rem, 4vw, 2.5rem)' }}>
          {isOpen ? <Outlet /> : <Welcome needed={needed} />}
        </div>
      </AppShell.Main>
    </AppShell>
  )
}

function BrandLink() {
  return (
    <Link style={{ color: 'inherit', textDecoration: 'none' }} to="/">
      <Group gap="xs">
        <ActionIcon component="span" size={30} variant="filled">
          <svg aria-hidden="true" height="18" viewBox="7 7 18 18" width="18">
            <path d="M7 13l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0z" fill="#fff" />
            <path d="M9 17.5v6.5h14v-6.5" fill="none" stroke="#fff" strokeWidth="2" />
          </svg>
        </ActionIcon>
        <Text fw={700} size="lg">
          Feria
        </Text>
      </Group>
    </Link>
  )
}
