import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where browsers are kept between runs. */
export const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url))

/**
 * The folder `name` in `cache`, which `fill` has filled once.
 * Several processes may ask at once: the first to end provides it to all. An interrupted one leaves nothing behind.
 */
export async function cachedFolder(
  cache: string,
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, `${name}-`))
  try {
    await fill(unfinished)
    // Fails if another process was first: a folder with files in it is not replaced.
    await rename(unfinished, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}
