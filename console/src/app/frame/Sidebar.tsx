import {
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { signOut } from '../../api/oauth.ts'
import { signOutOperator } from '../../api/operator.ts'
import { useListSite, useOperatorSites } from '../../api/operator-sites.ts'
import { ownAccountPath, useOwnAccount, usePermissions } from '../../api/own-account.ts'
import { queryClient, useSettings } from '../../api/queries.ts'
import { saveSession, useSession } from '../../api/session.ts'
import { Icon } from '../../design/icons.tsx'
import { StatusBadge } from '../../design/StatusBadge.tsx'
import { chooseLanguage, languageNames, languages, useLanguage } from '../../i18n/language.ts'
import { useTranslations } from '../../i18n/text.ts'
import { useAddressParameters } from '../../pages/operator/address.ts'
import { type NavigationGroup, type NavigationItem, navigation } from '../navigation.ts'
import { useSignOut } from '../sign-out.ts'
import { translations } from './translations.ts'

/** Where one can go, who one is, and how it looks. */
export function Sidebar() {
  const t = useTranslations(translations)
  const language = useLanguage()
  const { data } = useSettings()
  const groups = useOpenNavigation()
  return (
    <Stack className="sidebar" gap="md">
      <Stack className="sidebar-pages" gap="lg">
        {groups.map(({ title, items }) => (
          <Stack gap={2} key={title.en}>
            <Text className="quiet" fw={600} px="sm" size="xs">
              {title[language]}
            </Text>
            {items.map(({ to, icon, label, isExact = false }) => (
              <Link
                activeOptions={{ exact: isExact, includeSearch: false }}
                className="nav-link"
                key={to}
                to={to}
              >
                <Icon name={icon} />
                {label[language]}
              </Link>
            ))}
          </Stack>
        ))}
        <a className="nav-link" href="/docs/">
          <Icon name="book" />
          {t('reference')}
        </a>
      </Stack>
      <Stack className="sidebar-user" gap="sm">
        {data?.mode === 'sandbox' && (
          <div>
            <StatusBadge tone="info">{t('sandbox')}</StatusBadge>
          </div>
        )}
        <SiteMenu />
        <SignedInUser />
        <AppearanceMenu />
      </Stack>
    </Stack>
  )
}

/** Returns the navigation without the pages that whoever is signed in may not use. */
function useOpenNavigation(): NavigationGroup[] {
  const { user, operatorToken } = useSession()
  const hasPermission = usePermissions()
  const isLimited = useOperatorSites() !== null
  const { pathname } = useLocation()
  // A role changes while its accounts are signed in: every page that is opened asks again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is the reason to ask
  useEffect(() => {
    const filter = { queryKey: ['operator', ownAccountPath], stale: true, type: 'active' } as const
    void queryClient.refetchQueries(filter)
  }, [pathname])
  const isOpen = (
    authScheme: NavigationGroup['authScheme'],
    { permission, isOfAllSites = false }: NavigationItem,
  ) =>
    (authScheme !== 'operator' && user !== null) ||
    (authScheme !== 'user' &&
      operatorToken !== null &&
      !(isOfAllSites && isLimited) &&
      (permission === undefined || hasPermission(permission)))
  return navigation
    .map((group) => ({
      ...group,
      items: group.items.filter((item) => isOpen(group.authScheme, item)),
    }))
    .filter(({ items }) => items.length > 0)
}

/** Selects the site of lists, for an operator of several sites. */
function SiteMenu() {
  const t = useTranslations(translations)
  const sites = useOperatorSites()
  const site = useListSite()
  const [parameters, setParameters] = useAddressParameters()
  if (sites === null || site === undefined) return null
  const select = (operatorSite: string) => {
    saveSession({ operatorSite })
    // The page that is open may be one in the middle of the other site's list.
    if (parameters['after']) setParameters({ ...parameters, after: '' }, { replace: true })
  }
  return (
    <NativeSelect
      data={sites}
      label={t('site')}
      onChange={({ currentTarget }) => select(currentTarget.value)}
      size="xs"
      value={site}
    />
  )
}

function SignedInUser() {
  const t = useTranslations(translations)
  const { user, operatorToken } = useSession()
  const { data: account } = useOwnAccount()
  const leaveAsUser = useSignOut(signOut)
  const leaveAsOperator = useSignOut(signOutOperator)
  return (
    <>
      {user && (
        <Stack gap={2}>
          <Text fw={600} px="sm" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {user.nickname}
          </Text>
          <Button
            justify="start"
            leftSection={<Icon name="leave" size={16} />}
            onClick={() => void leaveAsUser()}
            size="xs"
            variant="default"
          >
            {t('signOut')}
          </Button>
        </Stack>
      )}
      {operatorToken !== null && (
        <Stack gap={2}>
          {account ? (
            <Link
              aria-label={t('ownAccount', { name: account.name })}
              className="nav-link"
              to="/operator/account"
            >
              <Icon name="people" />
              <span style={{ overflowWrap: 'anywhere' }}>{account.name}</span>
            </Link>
          ) : (
            <Text fw={600} px="sm" size="sm">
              {t('operator')}
            </Text>
          )}
          <Button
            aria-label={t('signOutOperator')}
            justify="start"
            leftSection={<Icon name="leave" size={16} />}
            onClick={() => void leaveAsOperator()}
            size="xs"
            variant="default"
          >
            {t('signOut')}
          </Button>
        </Stack>
      )}
    </>
  )
}

function AppearanceMenu() {
  const t = useTranslations(translations)
  const language = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  return (
    <Group gap="xs" grow preventGrowOverflow={false} wrap="nowrap">
      <NativeSelect
        aria-label={t('language')}
        data={languages.map((each) => ({ value: each, label: languageNames[each] }))}
        onChange={({ currentTarget }) => {
          const chosen = languages.find((each) => each === currentTarget.value)
          if (chosen) chooseLanguage(chosen)
        }}
        size="xs"
        value={language}
      />
      <Button
        aria-label={t(isDark ? 'toLight' : 'toDark')}
        leftSection={<Icon name={isDark ? 'sun' : 'moon'} size={16} />}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        size="xs"
        variant="default"
      >
        {t(isDark ? 'light' : 'dark')}
      </Button>
    </Group>
  )
}
