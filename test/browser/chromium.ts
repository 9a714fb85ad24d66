import { type Browser, chromium } from 'playwright-core'

/** The package's own arguments hold `--single-process`, which crashes it on an ordinary machine. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

/** The browser that npm brings, whatever this machine has, so that every run is alike; `TEST_BROWSER` names another. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.TEST_BROWSER || (await findPackaged())
  try {
    return await chromium.launch({ executablePath, args: ARGS, headless: true })
  } catch (error) {
    throw new Error(`The browser ${executablePath} did not start: ${firstLineOf(error)}`, { cause: error })
  }
}

async function findPackaged(): Promise<string> {
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}

const firstLineOf = (error: unknown) => (error as Error).message.split('\n', 1)[0]
