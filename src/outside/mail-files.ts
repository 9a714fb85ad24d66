import { opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A file name starts with the time of writing. */
const MAIL_FILE = /^(\d{13})-[0-9a-f-]{36}\.eml$/

/** Deletes only emails that were written into this folder before that instant. */
export async function deleteMailFiles(folder: string, before: number): Promise<void> {
  try {
    for await (const { name } of await opendir(folder)) {
      const writtenAt = MAIL_FILE.exec(name)?.[1]
      if (writtenAt !== undefined && Number(writtenAt) < before) await rm(join(folder, name), { force: true })
    }
  } catch (error) {
    // Nothing has been written there yet.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
