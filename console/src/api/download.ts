import { tokenOf } from './client.ts'

/** Saves a file of the operator's under a name. Links send no token, so the file is fetched first. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const response = await fetch(path, {
    credentials: 'omit',
    headers: { authorization: `Bearer ${await tokenOf('operator')}` },
  })
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
  saveBlob(await response.blob(), name)
}

/** Saves a text under a name. */
export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'text/plain' }), name)
}

function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
