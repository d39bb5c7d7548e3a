import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { useTranslations } from '../i18n/text.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { Conflict } from './Conflict.tsx'
import { translations } from './translations.ts'

/** Placeholder while data loads. */
export function LoadingState({ lines = 4 }: { lines?: number }) {
  const t = useTranslations(translations)
  return (
    <Stack aria-busy="true" aria-label={t('loading')} gap="sm" p="lg" role="status">
      {Array.from({ length: lines }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton height={22} key={n} radius="md" width={`${92 - ((n * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

/** Placeholder for an empty list: why it is empty, and the command or action that changes that. */
export function EmptyState({
  title,
  children,
  command,
  action,
}: {
  title: string
  children?: ReactNode
  command?: string
  action?: ReactNode
}) {
  return (
    <div className="empty">
      <Title order={3} size="h4">
        {title}
      </Title>
      {children && (
        <Text className="quiet" maw="34rem" mt={6} mx="auto">
          {children}
        </Text>
      )}
      {command && <CodeBlock text={command} />}
      {action && (
        <Group justify="center" mt="lg">
          {action}
        </Group>
      )}
    </div>
  )
}

/** Shows the error message of the API, and what to do next. `reload` loads the present state after a conflict. */
export function ErrorState({
  error,
  retry,
  nextStep,
  reload,
}: {
  error: Error
  retry?: () => void
  /** Replaces the general advice where the page knows better. */
  nextStep?: string | undefined
  reload?: (() => void) | undefined
}) {
  const t = useTranslations(translations)
  if (error instanceof ApiError && error.code === 'version_conflict') {
    return <Conflict changes={error.changes} reload={reload} />
  }
  const advice = adviceFor(error)
  const id = error instanceof ApiError ? (error.requestId ?? '–') : '–'
  return (
    <div className="note" data-tone="bad" role="alert">
      {error instanceof ApiError && <Text fw={650}>{t('failed')}</Text>}
      <Text className="mono" lang="en">
        {error.message}
      </Text>
      {nextStep ? (
        <Text mt={4}>{nextStep}</Text>
      ) : (
        advice && <Text mt={4}>{t(advice, { id })}</Text>
      )}
      {retry && advice !== 'notYours' && (
        <Button mt="sm" onClick={retry} size="xs" variant="default">
          {t('again')}
        </Button>
      )}
    </div>
  )
}

function adviceFor(error: Error) {
  if (!(error instanceof ApiError)) return undefined
  const { status, code } = error
  if (code === 'permission_denied') return 'notAllowed'
  if (status === 0) return 'unreachable'
  if (status === 401) return 'notIdentified'
  if (status === 403 || status === 404) return 'notYours'
  if (status === 429) return 'tooMany'
  return status >= 500 ? 'defect' : undefined
}

/** Shows the data of a query, its error, or a placeholder while it loads. */
export function QueryContent<T>({
  of,
  lines,
  children,
}: {
  of: UseQueryResult<T, Error>
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorState error={of.error} retry={() => void of.refetch()} />
  return <LoadingState {...(lines ? { lines } : {})} />
}
