import { access } from 'node:fs/promises'
import { type Browser, chromium } from 'playwright-core'

const ON_THIS_SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
]

/** A browser of this system, or else the one that npm brought along. */
export async function launchChromium(): Promise<Browser> {
  for (const executablePath of ON_THIS_SYSTEM) {
    if (await exists(executablePath)) return chromium.launch({ executablePath, args: ARGS })
  }
  return launchPackaged()
}

const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

/** The browser of `@sparticuz/chromium`: for Linux, and complete. */
export async function launchPackaged(): Promise<Browser> {
  const { default: packaged } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter((arg) => !arg.startsWith('--headless')), ...ARGS],
    headless: true,
  })
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
