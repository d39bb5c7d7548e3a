import { settings } from '../../src/platform/settings.ts'
import { tableOf } from './markdown.ts'

const head = `# Configuration

You configure Feria with environment variables. It reads them once, when it starts. If any of them is wrong, it reports all mistakes together and does not start. An empty variable counts as not set. Secrets print as \`***\`.

\`feria doctor\` checks the settings of your environment.`

/** Returns docs/configuration.md. */
export function configurationPage(): string {
  const rows = Object.entries(settings).map(([name, { default: usual, says }]) => [
    `\`${name}\``,
    usual === '' ? '' : `\`${usual}\``,
    says,
  ])
  return `${head}\n\n${tableOf(['Setting', 'Default', 'Meaning'], rows)}\n`
}
