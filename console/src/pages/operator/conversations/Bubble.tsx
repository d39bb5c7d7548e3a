import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../api/client.ts'
import { downloadFile } from '../../../api/download.ts'
import { invalidatePaths } from '../../../api/queries.ts'
import { Icon } from '../../../design/icons.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { StatusBadge } from '../../../design/StatusBadge.tsx'
import { useFormats } from '../../../i18n/format.ts'
import { useCodeNames, useTranslations } from '../../../i18n/text.ts'
import { reasonTranslations, translations } from './translations.ts'
import type { Attachment, Message } from './types.ts'

/** The text of a message, with the match of moderation marked. */
export function HighlightedText({ text, finding }: Pick<Message, 'text' | 'finding'>) {
  if (!finding) return text
  return (
    <>
      {text.slice(0, finding.from)}
      <mark>{text.slice(finding.from, finding.to)}</mark>
      {text.slice(finding.to)}
    </>
  )
}

export function MessageBubble({ message, sellerId }: { message: Message; sellerId: number }) {
  const t = useTranslations(translations)
  const { moment } = useFormats()
  const isHeld = message.status === 'moderated'
  const by = message.from.user_id === sellerId ? 'seller' : 'buyer'
  const { created, read } = message.message_date
  return (
    <li className="bubble" data-by={by} data-held={isHeld ? '' : undefined}>
      <p>
        <HighlightedText finding={message.finding} text={message.text} />
      </p>
      {message.message_attachments?.map((file) => (
        <AttachmentButton file={file} key={file.filename} />
      ))}
      <footer className="quiet">
        <span>{t(by)}</span>
        <time dateTime={created}>{moment(created)}</time>
        {message.option_id && <span className="mono">{message.option_id}</span>}
        {!isHeld && <span>{read ? t('readAt', { at: moment(read) }) : t('notRead')}</span>}
        {message.date_overruled && (
          <span>{t('releasedAt', { at: moment(message.date_overruled) })}</span>
        )}
      </footer>
      {isHeld && <HeldMessageActions message={message} />}
    </li>
  )
}

/** Why a message is held, and the button that releases it. */
export function HeldMessageActions({ message }: { message: Message }) {
  const t = useTranslations(translations)
  const reasonName = useCodeNames(reasonTranslations)
  const { reason } = message.message_moderation
  const overrule = useMutation({
    mutationFn: () =>
      callApi('POST', `/operator/messages/${message.id}/overrule`, {
        authScheme: 'operator',
        body: {},
      }),
    onSuccess: () => invalidatePaths('/operator/messages', '/operator/conversations'),
  })
  return (
    <Group gap="sm" mt="sm">
      <StatusBadge tone="bad">{t('heldBack')}</StatusBadge>
      {reason && <span title={reason}>{reasonName(reason)}</span>}
      {message.finding && (
        <Text className="quiet" size="sm" span>
          {t('rule')} <span className="mono">{message.finding.rule}</span>
        </Text>
      )}
      <Button
        leftSection={<Icon name="check" size={16} />}
        loading={overrule.isPending}
        onClick={() => overrule.mutate()}
        size="xs"
        variant="default"
      >
        {t('release')}
      </Button>
      {overrule.error && <ErrorState error={overrule.error} />}
    </Group>
  )
}

/** Files are saved, never shown: who knows what is in them. */
function AttachmentButton({ file }: { file: Attachment }) {
  const t = useTranslations(translations)
  const { number } = useFormats()
  const { filename, original_filename: name } = file
  const save = useMutation({
    mutationFn: () => downloadFile(`/operator/messages/attachments/${filename}`, name),
  })
  return (
    <Group gap="xs" mt="xs">
      <Button
        leftSection={<Icon name="file" size={16} />}
        loading={save.isPending}
        onClick={() => save.mutate()}
        size="xs"
        variant="default"
      >
        {t('save', { name })}
      </Button>
      <Text className="quiet" size="xs" span>
        {file.type}, {number(Math.ceil(file.size / 1024))} KB
      </Text>
      {file.potential_security_threat && <StatusBadge tone="warn">{t('threat')}</StatusBadge>}
      {save.error && <ErrorState error={save.error} />}
    </Group>
  )
}
