import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface PreviousRelease {
  readonly version: string
  readonly commit: string
  readonly lastMigration: string
}

/**
 * The release that may run beside this one. `previous-release.json` names it, and each release renews that file.
 *
 * An older entry is stricter: then more migrations must leave more versions running.
 */
export const PREVIOUS: PreviousRelease = JSON.parse(
  await readFile(new URL('previous-release.json', import.meta.url), 'utf8'),
)

export interface UnpackedRelease {
  /** What starts the service. */
  readonly main: string
  /** For processes of it: what Node.js compiles must not pile up in our cache. */
  readonly environment: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** Takes the previous release out of the history of this clone, with the packages that it needs. */
export async function unpackPreviousRelease(): Promise<UnpackedRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-previous-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    // Not the index of this clone, which may hold someone's work.
    const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') }
    const git = (...args: string[]) => run('git', args, { cwd: ROOT, env })
    await git('read-tree', PREVIOUS.commit).catch((error: { stderr?: string }) => {
      const { version, commit } = PREVIOUS
      throw new Error(
        `Git can't find version ${version} (${commit}): run this in a full clone; \`git fetch --unshallow\` completes a shallow one. ${error.stderr}`,
      )
    })
    await git('checkout-index', '--all', `--prefix=${folder}/`)
    await addPackages(folder)
  } catch (error) {
    await remove()
    throw error
  }
  const environment = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  return { main: join(folder, 'src/main.ts'), environment, remove }
}

/** Lends it our packages if they have the versions that it asks for, and installs its own otherwise. */
async function addPackages(folder: string): Promise<void> {
  const { dependencies } = await readPackage(folder)
  const wanted = Object.entries(dependencies ?? {})
  const found = await Promise.all(
    wanted.map(async ([name, version]) => {
      const installed = await readPackage(join(ROOT, 'node_modules', name)).catch(() => undefined)
      return installed?.version === version
    }),
  )
  if (found.every(Boolean)) await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  else await run('npm', ['ci', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund'], { cwd: folder })
}

interface Package {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

async function readPackage(folder: string): Promise<Package> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}
