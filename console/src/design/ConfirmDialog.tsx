import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from '../i18n/text.ts'
import { translations } from './translations.ts'

/** Asks before an operation, and says what will happen. */
export function ConfirmDialog({
  opened,
  title,
  lead,
  action,
  isBusy,
  confirm,
  cancel,
}: {
  opened: boolean
  title: string
  lead: ReactNode
  /** Label of the button that confirms. */
  action: string
  isBusy: boolean
  confirm: () => void
  cancel: () => void
}) {
  const t = useTranslations(translations)
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('cancel') }}
      onClose={cancel}
      opened={opened}
      title={title}
    >
      <Stack gap="md">
        <Text>{lead}</Text>
        <Group>
          <Button loading={isBusy} onClick={confirm}>
            {action}
          </Button>
          <Button onClick={cancel} variant="default">
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
