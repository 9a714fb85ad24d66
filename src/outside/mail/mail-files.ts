import { opendir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A file name starts with the time of writing. */
const MAIL_FILE = /^(\d{13})-[0-9a-f-]{36}\.eml$/

/** Deletes only emails that were written into this folder before that instant. */
export async function deleteMailFiles(folder: string, before: number): Promise<void> {
  await forEachMailFile(folder, async (path, writtenAt) => {
    if (writtenAt < before) await rm(path, { force: true })
  })
}

/** Deletes the emails in this folder whose text, headers or invitation pass the test. */
export async function deleteMailFilesWhere(
  folder: string,
  test: (content: string) => boolean,
): Promise<void> {
  await forEachMailFile(folder, async (path) => {
    const content = await readFile(path, 'latin1').catch(ignoreMissing)
    if (content !== undefined && test(readable(content))) await rm(path, { force: true })
  })
}

async function forEachMailFile(
  folder: string,
  act: (path: string, writtenAt: number) => Promise<void>,
): Promise<void> {
  try {
    for await (const { name } of await opendir(folder)) {
      const writtenAt = MAIL_FILE.exec(name)?.[1]
      if (writtenAt !== undefined) await act(join(folder, name), Number(writtenAt))
    }
  } catch (error) {
    // Nothing has been written there yet.
    ignoreMissing(error)
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** A message as it is, and once more with quoted-printable and encoded words decoded, and folded lines joined. */
function readable(message: string): string {
  const joined = message.replaceAll(/=\r?\n/g, '').replaceAll(/\r?\n[ \t]/g, '')
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const words = joined.replaceAll(/=\?utf-8\?b\?([^?]*)\?=/gi, (_, base64) =>
    Buffer.from(base64, 'base64').toString('latin1'),
  )
  return [message, bytes, words].map((text) => Buffer.from(text, 'latin1').toString()).join('\n')
}
