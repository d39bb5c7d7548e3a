import {
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { signOut } from '../../api/oauth.ts'
import { signOutOperator } from '../../api/operator.ts'
import { queryClient, useSettings } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Icon } from '../../design/icons.tsx'
import { StatusBadge } from '../../design/StatusBadge.tsx'
import { chooseLanguage, languageNames, languages, useLanguage } from '../../i18n/language.ts'
import { useTranslations } from '../../i18n/text.ts'
import { navigation } from '../navigation.ts'
import { translations } from './translations.ts'

/** Where one can go, who one is, and how it looks. */
export function Sidebar() {
  const t = useTranslations(translations)
  const language = useLanguage()
  const { user, operatorToken } = useSession()
  const { data } = useSettings()
  const mayOpen = { user: user !== null, operator: operatorToken !== null }
  const groups = navigation.filter(({ authScheme }) =>
    authScheme === 'either' ? mayOpen.user || mayOpen.operator : mayOpen[authScheme],
  )
  return (
    <Stack gap="lg" h="100%" justify="space-between" style={{ overflowY: 'auto' }}>
      <Stack gap="lg">
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
      <Stack gap="sm" px="xs">
        {data?.mode === 'sandbox' && (
          <div>
            <StatusBadge tone="info">{t('sandbox')}</StatusBadge>
          </div>
        )}
        <SignedInUser />
        <AppearanceMenu />
      </Stack>
    </Stack>
  )
}

function SignedInUser() {
  const t = useTranslations(translations)
  const navigate = useNavigate()
  const { user, operatorToken } = useSession()
  /** Ends a session, and forgets what only its user could read. Settings are the same for all. */
  const leave = async (endSession: () => unknown) => {
    await endSession()
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' })
    await navigate({ to: '/' })
  }
  return (
    <>
      {user && (
        <Stack gap={2}>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {user.nickname}
          </Text>
          <Button
            justify="start"
            leftSection={<Icon name="leave" size={16} />}
            onClick={() => void leave(signOut)}
            size="xs"
            variant="default"
          >
            {t('signOut')}
          </Button>
        </Stack>
      )}
      {operatorToken !== null && (
        <Stack gap={2}>
          <Text fw={600} size="sm">
            {t('operator')}
          </Text>
          <Button
            aria-label={t('signOutOperator')}
            justify="start"
            leftSection={<Icon name="leave" size={16} />}
            onClick={() => void leave(signOutOperator)}
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
