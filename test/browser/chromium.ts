import { stripVTControlCharacters } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { keepForNextFile } from '../between-files.ts'
import { chromiumFromDebian } from './sources/debian.ts'
import { installedBrowsers } from './sources/installed.ts'
import { chromiumFromNpm } from './sources/npm.ts'
import { chromiumFromPlaywright } from './sources/playwright.ts'

/** Without a sandbox, which needs rights that containers lack. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
/**
 * A page of a test does not live long enough for optimised code: a fifth less processor time without it. V8's other threads cost
 * 5 % more than they save. Nothing is measured here.
 */
const FOR_SHORT_VISITS = ['--js-flags=--no-turbofan --no-maglev --single-threaded']
const START_LIMIT = 120_000
const DOES_NOT_START = 'does not start'

/** Where a browser may come from. `paths` throws a reason if it has none. */
export interface Source {
  readonly name: string
  paths(): Promise<readonly string[]>
}

/** In the order in which they are tried. */
const SOURCES: readonly Source[] = [
  { name: 'TEST_BROWSER', paths: async () => [process.env.TEST_BROWSER ?? fail('it is not set')] },
  { name: 'the Chromium from npm', paths: async () => [await chromiumFromNpm()] },
  { name: 'an installed Chrome, Chromium or Edge', paths: async () => orNone(installedBrowsers()) },
  { name: "Playwright's download", paths: async () => [await chromiumFromPlaywright()] },
  { name: "the distribution's chromium", paths: async () => [await chromiumFromDebian()] },
]

export interface Found {
  readonly path: string
  /** Its version, where it is from, and which did not start. */
  readonly sentence: string
}

let found: Promise<Found> | undefined

/** The first browser that starts. Throws one sentence that names all sources if none does. */
export function findChromium(): Promise<Found> {
  found ??= firstThatStarts(SOURCES)
  return found
}

export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { TEST_BROWSER } = process.env
  // Whoever sets it has seen it start, mostly.
  if (TEST_BROWSER !== undefined && found === undefined) {
    try {
      return await launch(TEST_BROWSER, more)
    } catch {
      // What is wrong with it is part of the sentence.
    }
  }
  return launch((await findChromium()).path, more)
}

export interface Borrowed {
  readonly browser: Browser
  /** Closes what was opened in it. */
  giveBack(): Promise<void>
}

let kept: Browser | undefined

/** A browser for one file: the one of the file before, if there is one and it still runs. */
export async function borrowChromium(): Promise<Borrowed> {
  const browser = kept?.isConnected() ? kept : await launchChromium(FOR_SHORT_VISITS)
  const isKept = browser === kept || keepForNextFile(() => browser.close())
  kept = isKept ? browser : undefined
  return {
    browser,
    async giveBack() {
      if (!isKept) return browser.close()
      for (const context of browser.contexts()) await context.close()
    },
  }
}

/** The first browser of `sources` that starts. */
export async function firstThatStarts(sources: readonly Source[]): Promise<Found> {
  const passedOver: string[] = []
  for (const { name, paths } of sources) {
    let present: readonly string[] = []
    try {
      present = await paths()
    } catch (error) {
      passedOver.push(`${name}: ${reasonOf(error)}`)
    }
    for (const path of present) {
      try {
        const version = await versionOf(path)
        const broken = passedOver.filter((reason) => reason.includes(DOES_NOT_START))
        return { path, sentence: [`Chromium ${version}, ${name}`, ...broken].join('; ') }
      } catch (error) {
        passedOver.push(`${name} (${path}) ${DOES_NOT_START}: ${reasonOf(error)}`)
      }
    }
  }
  const sentence = `No browser starts: ${passedOver.join('; ')}.`
  // Without the stack: it says nothing about a browser.
  throw Object.assign(new Error(sentence), { stack: sentence })
}

async function versionOf(path: string): Promise<string> {
  const browser = await launch(path)
  const version = browser.version()
  await browser.close()
  return version
}

function launch(path: string, more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: [...ARGS, ...more],
    headless: true,
    timeout: START_LIMIT,
  })
}

function orNone(paths: readonly string[]): readonly string[] {
  return paths.length > 0 ? paths : fail('none is at its usual places')
}

function fail(reason: string): never {
  throw new Error(reason)
}

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
