import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CACHE, cachedFolder } from './cached-folder.ts'

const PACKAGE = fileURLToPath(new URL('../../../node_modules/playwright-core', import.meta.url))
const ANSWER_LIMIT = 5_000
const DOWNLOAD_LIMIT = 900_000
const EXECUTABLES = 'chromium_headless_shell-*/*/{chrome-headless-shell,headless_shell}{,.exe}'

const run = promisify(execFile)

/** Playwright's pinned Chromium, downloaded once. Returns its path. */
export async function chromiumFromPlaywright(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = await cachedFolder(CACHE, `playwright-${version}`, download)
  const [path] = await Array.fromAsync(glob(EXECUTABLES, { cwd: folder }))
  if (path === undefined) throw new Error('its download holds no browser for this system')
  return join(folder, path)
}

async function download(folder: string): Promise<void> {
  const env = {
    ...process.env,
    PLAYWRIGHT_BROWSERS_PATH: folder,
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(ANSWER_LIMIT),
    // Playwright's own requests use a proxy if there is one: so does the question whether its server answers.
    NODE_USE_ENV_PROXY: '1',
  }
  const install = [join(PACKAGE, 'cli.js'), 'install', 'chromium-headless-shell']
  const { stdout } = await run(process.execPath, [...install, '--dry-run'], { env })
  const url = /https?:\/\/\S+/.exec(stdout)?.[0]
  if (url === undefined) throw new Error('it has no browser for this system')
  // Asked first: the installer itself tries again and again.
  const ask = `await fetch(process.argv[1], { method: 'HEAD', signal: AbortSignal.timeout(${ANSWER_LIMIT}) })`
  await run(process.execPath, ['--input-type=module', '--eval', ask, url], { env }).catch(() => {
    throw new Error(`${new URL(url).host} does not answer`)
  })
  await run(process.execPath, install, { env, timeout: DOWNLOAD_LIMIT })
}
