import { tokenOf } from './client.ts'

/** Saves a file of the operator's under a name. Links send no token, so the file is fetched first. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const response = await fetch(path, {
    credentials: 'omit',
    headers: { authorization: `Bearer ${await tokenOf('operator')}` },
  })
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
