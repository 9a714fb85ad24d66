import { fetchAsHost } from './api.ts'

/** Saves what the host API returns as a file. */
export async function saveFile(path: string, name: string): Promise<void> {
  saveBlob(await (await fetchAsHost(path)).blob(), name)
}

export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
