import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CACHE, cachedFolder } from './cached-folder.ts'
import { writeLauncher } from './launcher.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The Chromium of `@sparticuz/chromium`, which brings its libraries and fonts. Returns its path. */
export async function chromiumFromNpm(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`it is made for Linux on x64, not for ${process.platform} on ${process.arch}`)
  }
  const about = await readFile(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')
  const folder = await cachedFolder(CACHE, `npm-chromium-${JSON.parse(about).version}`, unpackInto)
  return join(folder, 'launch')
}

/** In a separate process, because the package unpacks into the folder for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`
  await promisify(execFile)(process.execPath, ['--eval', script], {
    cwd: ROOT,
    // On Lambda the package brings its libraries as well.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  })
  await writeLauncher(folder, { browser: 'chromium', libraries: ['al2023/lib'], fonts: 'fonts' })
}
