import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTranslations } from '../i18n/text.ts'
import { Icon } from './icons.tsx'
import { translations } from './translations.ts'

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useTranslations(translations)
  const clipboard = useClipboard({ timeout: 1_500 })
  const name = clipboard.copied ? t('copied') : (label ?? t('copy'))
  const icon = <Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />
  const copy = () => clipboard.copy(text)
  if (label) {
    return (
      <Button leftSection={icon} onClick={copy} size="xs" variant="default">
        {name}
      </Button>
    )
  }
  return (
    <ActionIcon aria-label={name} onClick={copy} title={name} variant="subtle" color="gray">
      {icon}
    </ActionIcon>
  )
}

/** An id or another short text of machines, to be copied. */
export function CopyableText({ text }: { text: string }) {
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap">
      <span className="mono">{text}</span>
      <CopyButton text={text} />
    </Group>
  )
}

/** A secret that is shown once. */
export function Secret({ name, text }: { name: string; text: string }) {
  const t = useTranslations(translations)
  return (
    <div className="note" data-tone="good" role="status">
      <Text fw={650}>{name}</Text>
      <Group gap="xs" my={4}>
        <code className="mono" data-testid="secret">
          {text}
        </code>
        <CopyButton label={t('copy')} text={text} />
      </Group>
      <Text size="sm">{t('shownOnce')}</Text>
    </div>
  )
}
