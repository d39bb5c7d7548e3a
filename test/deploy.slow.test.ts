import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { settings } from '../src/platform/settings.ts'
import { freePort } from './harness/cli-fixture.ts'
import { startProgram } from './harness/program.ts'

/** What is handed to an operator besides the program holds what is true of the program. */
const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')

interface Panel {
  title: string
  targets?: { expr: string }[]
}

test('every figure that the dashboard shows is one that a started server tells', async () => {
  const data = mkdtempSync(join(tmpdir(), 'feria-deploy-'))
  const metricsPort = String(await freePort())
  const env = {
    FERIA_DATA: data,
    FERIA_LOG_LEVEL: 'warn',
    FERIA_DEMO: 'off',
    FERIA_METRICS_PORT: metricsPort,
  }
  const program = await startProgram({ env })
  try {
    const figures = `http://127.0.0.1:${metricsPort}/metrics`
    assert.equal((await fetch(`${program.address}/metrics`)).status, 401)
    const text = await (await fetch(figures)).text()
    const metricTypes = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
    )
    const isExported = (name: string) => {
      const [, base = '', part] = /^(.*?)(_bucket|_count|_sum)?$/.exec(name) ?? []
      return metricTypes.has(name) || (part !== undefined && metricTypes.get(base) === 'histogram')
    }
    const { panels } = JSON.parse(read('grafana.json')) as { panels: Panel[] }
    const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    assert.ok(shown.length >= 15)
    const names = shown.flatMap((expr) => expr.match(/\b(feria|nodejs|process)_[a-z0-9_]+/g) ?? [])
    assert.deepEqual(
      names.filter((name) => !isExported(name)),
      [],
    )
    const own = [...metricTypes.keys()].filter((name) => name.startsWith('feria_'))
    for (const name of own)
      assert.ok(
        names.some((each) => each.startsWith(name)),
        `${name} is shown`,
      )
  } finally {
    await program.stop()
    rmSync(data, { recursive: true, force: true })
  }
})

test('the container file copies what there is, and sets what is a setting', () => {
  const text = read('Dockerfile')
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, what = '']) =>
    what.split(' '),
  )
  assert.ok(copied.includes('package-lock.json'))
  for (const file of copied) assert.ok(existsSync(join(root, file)), file)
  const built = [...text.matchAll(/--from=build (.+) \S+$/gm)].flatMap(([, what = '']) =>
    what.split(' ').map((path) => path.replace('/build/', '')),
  )
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    files: string[]
  }
  for (const file of files) assert.ok(built.includes(file), `${file} is in the container too`)
  const set = [...(/^ENV (.+)$/m.exec(text)?.[1]?.matchAll(/([A-Z_]+)=/g) ?? [])]
  for (const [, name = ''] of set) assert.ok(name in settings || name === 'NODE_ENV', name)
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
test('systemd finds nothing wrong with the unit', {
  skip: hasSystemd ? false : 'there is no systemd-analyze',
}, () => {
  const unit = join(root, 'deploy', 'feria.service')
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit])
  // Units of the system that it stands on may be missing where nothing was booted.
  const ours = `${stderr}`.split('\n').filter((line) => line.includes('feria.service'))
  const wrong = ours.filter((line) => !/not found|Failed to (load|create|open)/.test(line))
  assert.deepEqual(wrong, [], `${status} ${stderr}`)
})
