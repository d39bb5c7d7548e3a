import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

/** Where the page before this one was. */
let lastPath: string | undefined

/** A page: its title, also that of the browser's tab, what it is for, and what can be done on it. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Feria`
    // Who comes to another page by keys or by ear begins at its title.
    const hasCome = lastPath !== undefined && lastPath !== location.pathname
    if (hasCome) heading.current?.focus({ preventScroll: true })
    lastPath = location.pathname
  }, [title])
  return (
    <Stack gap="xl">
      <Group align="flex-start" gap="md" justify="space-between">
        <Stack gap={6} maw="46rem">
          <Title order={1} ref={heading} size="h2" tabIndex={-1}>
            {title}
          </Title>
          {lead && <Text className="quiet">{lead}</Text>}
        </Stack>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

/** A part of a page, on a surface of its own. */
export function Section({
  title,
  lead,
  actions,
  children,
  flush = false,
}: {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Its content goes to the edge, as tables do. */
  flush?: boolean
}) {
  const head = (title || actions) && (
    <Group align="flex-start" justify="space-between" px={flush ? 'lg' : 0} pt={flush ? 'lg' : 0}>
      <Stack gap={4} maw="42rem">
        {title && (
          <Title order={2} size="h4">
            {title}
          </Title>
        )}
        {lead && (
          <Text className="quiet" size="sm">
            {lead}
          </Text>
        )}
      </Stack>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  )
  return (
    <section className="surface">
      <Stack gap="md" p={flush ? 0 : 'lg'}>
        {head}
        {children}
      </Stack>
    </section>
  )
}

/** Names and values, one under the other. */
export function DefinitionList({
  of,
}: {
  of: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
