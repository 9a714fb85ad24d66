import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** The package's own arguments hold `--single-process`, which crashes it on an ordinary machine. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
const START_LIMIT = 30_000

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules', '.cache')

/**
 * The browser that npm brings, with its libraries and fonts, so that every run is the same on every machine.
 * `TEST_BROWSER` names another one. Throws one sentence if the browser does not start.
 */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.TEST_BROWSER
  try {
    const { path, env } = named ? { path: named, env: {} } : await unpack(CACHE)
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

/** Unpacks the browser unless `cache` has it. Several processes may try at once: the first one provides it to all. */
export async function unpack(cache: string): Promise<Packaged> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`it is made for Linux on x64, not for ${process.platform} on ${process.arch}`)
  }
  const about = await readFile(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')
  const folder = join(cache, `chromium-${JSON.parse(about).version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const unfinished = await mkdtemp(join(cache, 'chromium-'))
    try {
      await unpackInto(unfinished)
      await writeFile(join(unfinished, 'fonts.conf'), fontsConfiguration(folder))
      // Fails if another process was first: a folder with files in it is not replaced.
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

/** In a separate process, because the package unpacks into the folder for temporary files. */
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

/** What the loader or the browser says, else the beginning of Playwright's own message. */
function reasonOf(error: unknown): string {
  const message = stripVTControlCharacters((error as Error).message)
  const library = /error while loading shared libraries: (.*)/.exec(message)?.[1]
  if (library !== undefined) return library
  const lines = [...message.matchAll(/\[err\] (.*)/g)].map(([, line]) => `: ${line}`)
  const [exit, code, signal] = /<process did exit: exitCode=(\w+), signal=(\w+)>/.exec(message) ?? []
  if (exit !== undefined)
    return `it ended with ${signal === 'null' ? `code ${code}` : signal}${lines.at(-1) ?? ''}`
  return message.replace(/^browserType\.launch: /, '').split('\n', 1)[0] ?? ''
}
