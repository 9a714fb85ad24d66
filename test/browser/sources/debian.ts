import { execFile } from 'node:child_process'
import { glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE, cachedFolder } from './cached-folder.ts'
import { writeLauncher } from './launcher.ts'

/** The smallest first: it has no windows. */
const PACKAGES = ['chromium-headless-shell', 'chromium']
const EXECUTABLES = 'usr/lib/chromium/{chromium-headless-shell,headless_shell,chromium}'
/** Of all that a browser depends on, what it loads. libc stays the system's own: it belongs to the kernel's loader. */
const UNPACKED = /^(?:chromium|fontconfig|fonts-|lib|zlib)(?!c6_)/
const DOWNLOAD_LIMIT = 900_000

const run = promisify(execFile)

/** The distribution's own Chromium with its libraries, downloaded and unpacked without being installed. Returns its path. */
export async function chromiumFromDebian(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  if (!/^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(release)) {
    throw new Error('this system is neither Debian nor Ubuntu')
  }
  const folder = await cachedFolder(CACHE, 'debian-chromium', fill)
  return join(folder, 'launch')
}

async function fill(folder: string): Promise<void> {
  const apt = join(folder, 'apt')
  const archives = await downloadInto(apt)
  for (const name of await readdir(archives)) {
    if (UNPACKED.test(name) && name.endsWith('.deb')) {
      await run('dpkg-deb', ['--extract', join(archives, name), folder])
    }
  }
  await rm(apt, { recursive: true })
  const [browser] = await Array.fromAsync(glob(EXECUTABLES, { cwd: folder }))
  // On Ubuntu the package only leads to another store.
  if (browser === undefined) throw new Error('the package chromium holds no browser here')
  const libraries = new Set<string>()
  for await (const path of glob('{lib,usr/lib}/**/lib*.so*', { cwd: folder })) libraries.add(dirname(path))
  await writeLauncher(folder, { browser, libraries: [...libraries], fonts: 'usr/share/fonts' })
}

/**
 * Downloads the packages with apt, for which nothing is installed and whose records all lie in `apt`: so it needs
 * no rights, and changes nothing of the system. The distribution's sources and keys are the system's.
 */
async function downloadInto(apt: string): Promise<string> {
  const archives = join(apt, 'cache', 'archives')
  await mkdir(join(archives, 'partial'), { recursive: true })
  await mkdir(join(apt, 'state', 'lists', 'partial'), { recursive: true })
  await writeFile(join(apt, 'status'), '')
  const options = [
    `Dir::State=${join(apt, 'state')}`,
    `Dir::State::status=${join(apt, 'status')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    `Dir::Log=${apt}`,
    // Otherwise root would hand over to a user who may not write here.
    `APT::Sandbox::User=${userInfo().username}`,
    'Acquire::http::Timeout=5',
    'Acquire::https::Timeout=5',
    'Acquire::Retries=0',
  ].flatMap((option) => ['-o', option])
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]) =>
    run('apt-get', [...options, '--quiet', ...args], { env, timeout: DOWNLOAD_LIMIT })
  // One of several sources may fail: whether the rest is enough is seen below.
  let refused: unknown
  await aptGet('update').catch((error) => {
    refused = error
  })
  for (const name of PACKAGES) {
    try {
      await aptGet('install', '--yes', '--no-install-recommends', '--download-only', name)
      return archives
    } catch (error) {
      refused ??= error
    }
  }
  throw new Error(saidBy(refused))
}

/** The first error that apt printed. */
function saidBy(error: unknown): string {
  const { message, stderr = '' } = error as Error & { stderr?: string }
  return /^E: (.*)$/m.exec(stderr)?.[1] ?? message.split('\n', 1)[0] ?? ''
}
