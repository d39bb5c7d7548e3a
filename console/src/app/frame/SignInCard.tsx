import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A way to sign in on the home page. */
export function SignInCard({
  title,
  lead,
  children,
}: {
  title: string
  lead: string
  children: ReactNode
}) {
  return (
    <section className="surface">
      <Stack gap="md" p="xl">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text className="quiet">{lead}</Text>
        {children}
      </Stack>
    </section>
  )
}
