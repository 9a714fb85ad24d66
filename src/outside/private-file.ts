import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Problem } from '../domain/problem.ts'
import { english } from '../domain/sentence.ts'

/**
 * Writes a file that only its owner can read.
 *
 * It is renamed into place once it is complete and on disk; until then, an existing file stays.
 */
export async function writePrivateFile(
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  { gzip = false, signal }: { readonly gzip?: boolean; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.partial`
  const file = await open(temporary, 'wx', 0o600)
  try {
    const steps = [
      Readable.from(texts),
      ...(gzip ? [createGzip()] : []),
      file.createWriteStream({ flush: true }),
    ] as const
    await pipeline(steps, { ...(signal && { signal }) })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Syncs the folder, so that the new name is on disk. Windows cannot open folders, and does not need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The decompressed content of a file, in chunks; throws `invalid` if it is damaged. */
export async function* readGzip(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // `gunzip` reports the errors of both streams.
  pipeline(createReadStream(path), gunzip).catch(() => {})
  try {
    yield* gunzip
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('Z_')) throw error
    throw new Problem('invalid', english`${path} is damaged, incomplete, or not a backup (${message}).`)
  }
}
