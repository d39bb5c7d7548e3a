import '../operator.css'
import { Button, Group, Text } from '@mantine/core'
import { saveText } from '../../../api/download.ts'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { translations } from './translations.ts'

/** Recovery codes, which are shown once, to be copied or saved. */
export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done: () => void }) {
  const t = useTranslations(translations)
  const text = codes.join('\n')
  return (
    <div className="note" data-tone="good" role="status">
      <Text fw={650}>{t('recoveryCodes')}</Text>
      <Text size="sm">{t('recoveryCodesLead')}</Text>
      <ul className="plain">
        {codes.map((code) => (
          <li className="mono" data-testid="recovery-code" key={code}>
            {code}
          </li>
        ))}
      </ul>
      <Group gap="xs" mt="sm">
        <CopyButton label={t('copyCodes')} text={text} />
        <Button
          onClick={() => saveText(`${text}\n`, 'feria-recovery-codes.txt')}
          size="xs"
          variant="default"
        >
          {t('download')}
        </Button>
        <Button onClick={done} size="xs" variant="default">
          {t('done')}
        </Button>
      </Group>
    </div>
  )
}
