import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { withQuery } from '../../../api/client.ts'
import { curlCommandOf } from '../../../api/curl.ts'
import { type AuthScheme, useSession } from '../../../api/session.ts'
import { CodeBlock } from '../../../design/CodeBlock.tsx'
import { InlineCodeText } from '../../../design/InlineCodeText.tsx'
import { Section } from '../../../design/Page.tsx'
import { ErrorState } from '../../../design/States.tsx'
import { useTranslations } from '../../../i18n/text.ts'
import { ParameterFields } from './Fields.tsx'
import type { Operation } from './operations.ts'
import { ResponseView } from './ResponseView.tsx'
import { OperationSummary } from './Summary.tsx'
import { translations } from './translations.ts'
import { sendTryRequest } from './try-request.ts'

export type TryCaller = AuthScheme | 'nobody'

/** One operation: what it takes, filled in, and what came back. */
export function OperationForm({ operation, back }: { operation: Operation; back: () => void }) {
  const t = useTranslations(translations)
  const { user, operatorToken } = useSession()
  const mayBe: Record<TryCaller, boolean> = {
    nobody: true,
    user: user !== null,
    operator: operatorToken !== null,
  }
  const [who, setWho] = useState<TryCaller>(
    mayBe[operation.authScheme] ? operation.authScheme : 'nobody',
  )
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(operation.example ?? '')
  const sending = useMutation({ mutationFn: sendTryRequest })
  const hasBody = operation.example !== undefined && body.trim() !== ''
  const isWrong = hasBody && !isJson(body)
  const filled = fillPath(operation, values)
  const request = {
    method: operation.method,
    url: filled.url,
    caller: who,
    headers: { ...filled.headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    body: hasBody ? body : undefined,
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sending.mutate(request)
  }
  const url = `${location.origin}${request.url}`
  return (
    <Stack gap="lg">
      <Group>
        <Button onClick={back} variant="default">
          {t('back')}
        </Button>
      </Group>
      <Section
        lead={<OperationSummary of={operation.name} original={operation.summary} />}
        title={operation.name}
      >
        {operation.description && (
          <Text lang="en" maw="46rem" size="sm">
            <InlineCodeText text={operation.description} />
          </Text>
        )}
        <form onSubmit={submit}>
          <Stack gap="md">
            <Stack align="flex-start" gap={4}>
              <Text fw={600} size="sm">
                {t('as')}
              </Text>
              <SegmentedControl
                aria-label={t('as')}
                data={(['nobody', 'user', 'operator'] as const)
                  .filter((each) => mayBe[each])
                  .map((each) => ({ value: each, label: t(each) }))}
                onChange={(chosen) => setWho(chosen as TryCaller)}
                value={who}
              />
            </Stack>
            <ParameterFields
              parameters={operation.parameters}
              set={(name, value) => setValues({ ...values, [name]: value })}
              values={values}
            />
            {operation.example !== undefined && (
              <Textarea
                autosize
                error={isWrong && t('notJson')}
                label={t('body')}
                maxRows={24}
                minRows={4}
                onChange={({ currentTarget }) => setBody(currentTarget.value)}
                spellCheck={false}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                value={body}
              />
            )}
            {operation.hasOwnForm && (
              <div className="note" data-tone="warn">
                {t('notHere')}
              </div>
            )}
            <Stack gap={4}>
              <Text fw={600} size="sm">
                {t('curl')}
              </Text>
              <CodeBlock
                label={t('curl')}
                text={curlCommandOf({
                  method: request.method,
                  url,
                  headers: request.headers,
                  body: request.body,
                  tokenVariable: who === 'nobody' ? undefined : 'TOKEN',
                })}
              />
            </Stack>
            <Group>
              <Button disabled={isWrong} loading={sending.isPending} type="submit">
                {t('send')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      {sending.error && <ErrorState error={sending.error} />}
      {sending.data && <ResponseView of={sending.data} />}
    </Stack>
  )
}

function fillPath({ path, parameters }: Operation, values: Readonly<Record<string, string>>) {
  const parametersIn = (where: string) =>
    parameters
      .filter((each) => each.in === where && values[each.name])
      .map(({ name }) => [name, values[name] ?? ''] as const)
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  )
  return {
    url: withQuery(filled, Object.fromEntries(parametersIn('query'))),
    headers: Object.fromEntries(parametersIn('header')),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
