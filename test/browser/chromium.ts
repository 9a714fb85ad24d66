import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** The package's own arguments hold `--single-process`, which crashes it on an ordinary machine. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
const START_LIMIT = 30_000

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The browser that npm brings, with its libraries and fonts, so that every run is alike whatever this machine has.
 * `TEST_BROWSER` names another one. Throws one sentence if the browser does not start.
 */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.TEST_BROWSER
  try {
    const { path, env } = named ? { path: named, env: {} } : await unpackOnce()
    return await chromium.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      args: ARGS,
      headless: true,
      timeout: START_LIMIT,
    })
  } catch (error) {
    const sentence = `${named ?? 'The browser from npm'} does not start: ${reasonOf(error)}`
    // Without the stack: it says nothing about a browser.
    throw Object.assign(new Error(sentence), { stack: sentence })
  }
}

interface Packaged {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

let unpacked: Promise<Packaged> | undefined

async function unpackOnce(): Promise<Packaged> {
  unpacked ??= unpack()
  return unpacked
}

/** Unpacks the browser if no process has done so before; several may try at once. */
async function unpack(): Promise<Packaged> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`it is made for Linux on x64, not for ${process.platform} on ${process.arch}`)
  }
  const about = await readFile(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')
  const cache = join(ROOT, 'node_modules', '.cache')
  const folder = join(cache, `chromium-${JSON.parse(about).version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const unfinished = await mkdtemp(join(cache, 'chromium-'))
    try {
      await unpackInto(unfinished)
      await writeFile(join(unfinished, 'fonts.conf'), fontsConfiguration(folder))
      // Whoever is first provides it to all: a folder with something in it is not replaced.
      await rename(unfinished, folder).catch((error) => {
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  }
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** In a process of its own, because the package unpacks into the folder for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`
  await promisify(execFile)(process.execPath, ['--eval', script], {
    cwd: ROOT,
    // On Lambda the package brings its libraries as well.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  })
}

const fontsConfiguration = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

/** What the loader or the browser says, else the beginning of Playwright's message. */
function reasonOf(error: unknown): string {
  const { message } = error as Error
  const missing = /error while loading shared libraries: (.*)/.exec(message)
  return missing?.[1] ?? message.split('\n', 1)[0] ?? ''
}
