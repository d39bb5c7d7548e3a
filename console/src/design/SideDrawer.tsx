import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from '../i18n/text.ts'
import { translations } from './translations.ts'

/** Something looked at more closely beside what it is listed in. */
export function SideDrawer({
  title,
  opened,
  close,
  children,
}: {
  title: string
  opened: boolean
  close: () => void
  children: ReactNode
}) {
  const t = useTranslations(translations)
  return (
    <Drawer
      closeButtonProps={{ 'aria-label': t('close') }}
      onClose={close}
      opened={opened}
      padding="lg"
      position="right"
      size="xl"
      title={title}
    >
      {children}
    </Drawer>
  )
}
