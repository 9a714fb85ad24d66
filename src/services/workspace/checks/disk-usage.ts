import { lstat, readdir, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { nearestFolder } from './check-surroundings.ts'

/** How much is in a folder, and how much more fits. Null where that can't be read. */
export interface DiskUsage {
  /** Null also if there are too many files to count. */
  readonly dataBytes: number | null
  readonly freeBytes: number | null
  readonly totalBytes: number | null
}

/** Counting more takes too long for a page that is loaded again and again. */
const MOST_FILES = 5000

/** A folder that is not there yet is as large as nothing, on the disk where it would be made. */
export async function readDiskUsage(folder: string): Promise<DiskUsage> {
  const dataBytes = await readFolderSize(folder).catch(() => null)
  try {
    const { bavail, blocks, bsize } = await statfs(await nearestFolder(resolve(folder)))
    return { dataBytes, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return { dataBytes, freeBytes: null, totalBytes: null }
  }
}

/** The bytes of all files in a folder; null if there are too many. */
async function readFolderSize(folder: string): Promise<number | null> {
  const folders = [folder]
  let [files, bytes] = [0, 0]
  for (const each of folders) {
    for (const entry of (await readdir(each, { withFileTypes: true }).catch(unlessGone)) ?? []) {
      files++
      if (files > MOST_FILES) return null
      const path = join(each, entry.name)
      if (entry.isDirectory()) folders.push(path)
      // Not the target of a link, which may be anywhere.
      else bytes += (await lstat(path).catch(unlessGone))?.size ?? 0
    }
  }
  return bytes
}

/** A file may be deleted while this counts. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
