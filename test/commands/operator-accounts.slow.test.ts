import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CliFixture, openCliFixture } from '../harness/cli-fixture.ts'
import { startFeria } from '../harness/command.ts'
import { operatorPassword } from '../harness/operators.ts'

let cli: CliFixture
before(async () => {
  cli = await openCliFixture()
})
after(() => cli.close())

/** Runs a command that reads a password from standard input. */
async function runWithPassword(...args: string[]): Promise<string> {
  const command = startFeria(cli.env(), args)
  command.child.stdin.end(`${operatorPassword}\n`)
  const { code, output, stdout } = await command.ended
  assert.equal(code, 0, output)
  return stdout.trim()
}

test('an owner is invited, signs in and switches the operator token off', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const email = 'ana@example.com'
  await expectFailure(1, /no active account/, 'operator', 'switch-token', 'off')
  const named = ['--name', 'Ana', '--role', 'owner']
  const invitation = (await runSuccessfully('operator', 'invite', email, ...named)).trim()
  assert.match(invitation, /^feria_invitation_[0-9a-f]{64}$/)
  await runWithPassword('operator', 'accept', invitation)
  const session = await runWithPassword('operator', 'sign-in', email)
  assert.match(session, /^feria_session_[0-9a-f]{64}$/)
  await runSuccessfully('operator', 'switch-token', 'off', '--token', session)
  await expectFailure(1, /operator's token/, 'operator', 'accounts')
  const [accounts] = await runJson('operator', 'accounts', '--token', session)
  assert.deepEqual([accounts[0].email, accounts[0].status], [email, 'active'])
  await runSuccessfully('operator', 'switch-token', 'on', '--token', session)
  const [id] = [String(accounts[0].id)]
  await expectFailure(1, /last active account/, 'operator', 'set-status', id, 'disabled')
  await runSuccessfully('operator', 'end-sessions', id)
  await expectFailure(1, /operator's token/, 'operator', 'accounts', '--token', session)
  const renewed = await runSuccessfully('operator', 'renew-invitation', id)
  assert.match(renewed, /^feria_invitation_/)
})

test('an invitation is printed with its link, and the link is accepted', async () => {
  const named = ['--name', 'Bea', '--role', 'support']
  const command = startFeria(cli.env(), ['operator', 'invite', 'bea@example.com', ...named])
  const { stdout, output } = await command.ended
  const link = /\S+\/console\/invitation#\S+/.exec(output)?.[0] ?? ''
  assert.ok(link.endsWith(`#${stdout.trim()}`), output)
  assert.match(await runWithPassword('operator', 'accept', link), /bea@example\.com can sign in/)
})

test('an API key is created, listed, rotated and revoked, and serves as --token', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const options = ['--name', 'Stock', '--role', 'read-only', '--addresses', '127.0.0.1,::1']
  const key = (await runSuccessfully('operator', 'create-key', ...options)).trim()
  await runSuccessfully('users', 'list', '--token', key)
  await expectFailure(
    1,
    /permission/,
    'users',
    'put',
    '7',
    '--site',
    'MLA',
    '--nickname',
    'X',
    '--token',
    key,
  )
  const [[listed]] = await runJson('operator', 'keys')
  assert.deepEqual([listed.name, listed.allowed_addresses.length], ['Stock', 2])
  assert.match(await runSuccessfully('operator', 'keys'), /Stock +read-only +all +127\.0\.0\.1/)
  const id = String(listed.id)
  const rotated = await runSuccessfully('operator', 'rotate-key', id, '--overlap-hours', '0')
  await expectFailure(1, /operator's token/, 'users', 'list', '--token', key)
  await runSuccessfully('users', 'list', '--token', rotated.trim())
  await runSuccessfully('operator', 'revoke-key', id)
  await expectFailure(1, /operator's token/, 'users', 'list', '--token', rotated.trim())
})

test('accounts and keys are limited to sites, and an account to others', async () => {
  const { runSuccessfully, runJson, expectFailure } = cli
  const options = ['--name', 'Chile', '--role', 'support', '--sites', 'MLC,MLU']
  const key = (await runSuccessfully('operator', 'create-key', ...options)).trim()
  assert.match(await runSuccessfully('operator', 'keys'), /Chile +support +MLC,MLU/)
  await expectFailure(1, /limited to some sites/, 'applications', 'list', '--token', key)
  const named = ['--name', 'Argentina', '--role', 'support', '--sites', 'MLA']
  await runSuccessfully('operator', 'invite', 'argentina@example.com', ...named)
  const [accounts] = await runJson('operator', 'accounts')
  const [id] = accounts.flatMap((account: { id: number; email: string }) =>
    account.email === 'argentina@example.com' ? [String(account.id)] : [],
  )
  const changed = await runSuccessfully('operator', 'set-sites', id, 'MLB')
  assert.match(changed, /acts on MLB/)
  assert.match(await runSuccessfully('operator', 'set-sites', id, 'all'), /acts on all/)
})
