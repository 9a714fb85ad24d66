import { access, constants, glob, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BARE_ENVIRONMENT } from '../test/bare-environment.ts'
import { findChromium } from '../test/browser/chromium.ts'
import { makeTemplates } from '../test/databases.ts'
import { startPostgres } from '../test/postgres.ts'
import { check, runTool } from './check.ts'
import { type Built, isFresh, PAGES, SERVER } from './stamps.mjs'
import { type FileResult, type GroupResult, runGroup } from './test-group.ts'
import { repeatFailed } from './test-repeats.ts'

const TESTS = '{bench,src,web,tools,test}/**/*.test.ts'
const IN_BROWSER = 'test/browser/'
const OF_SEVERAL_PROCESSES = 'test/'
/**
 * For the two cores that are expected: together they keep both busy, although some wait for other processes. Files that start
 * several processes load the machine most, so only one worker begins with those.
 */
const AT_ONCE = { inBrowser: 2, ofSeveralProcesses: 1, others: 2 }
/** Parts of paths. */
const LONGEST_FIRST = [
  'test/',
  'fuzz',
  'src/cli',
  'src/services/',
  'src/worker/',
  'src/http/',
  'src/store/',
  'reference',
  'tools/',
]
/**
 * How many files share a process, by what their paths begin with: to load the code and to warm up takes it longer than most
 * files take. Those that take long are fewer, so that all workers end together.
 */
const PER_PROCESS = {
  [IN_BROWSER]: 5,
  'test/': 4,
  'src/cli': 4,
  // Later files find that enough statements are prepared.
  'src/store/engine/postgres/': 2,
  '': 20,
}
/** For the files of one process, in milliseconds. */
const limitFor = (files: readonly string[]) => 900_000 + 60_000 * files.length
const IN_MEMORY = '/dev/shm'
/** Ten times what the databases of all files take at once, in bytes. */
const ROOM = 2 ** 31

const root = fileURLToPath(new URL('..', import.meta.url))

/** Checks, then runs the test files whose path contains one of `filters`. Returns the exit code. */
async function main(filters: readonly string[], interrupted: AbortSignal): Promise<number> {
  const startedAt = performance.now()
  const failed: string[] = []
  let results: FileResult[] = []
  let passedAlone: readonly string[] = []
  const scratchIn = await scratchRoot()
  const scratch = await mkdtemp(join(scratchIn, 'punctual-test-'))
  try {
    // Together, since each of them leaves a core idle.
    const [failedChecks] = await Promise.all([check(), makeAll()])
    failed.push(...failedChecks)
    const files = await findTestFiles(filters)
    const browser = await findBrowser(files)
    const notRun = browser === undefined ? files.filter(needsBrowser) : []
    failed.push(...notRun)
    const postgres = await startPostgres({
      durable: false,
      settings: { max_wal_size: '256MB' },
      ...(scratchIn === IN_MEMORY && { dataIn: scratchIn }),
    })
    try {
      const templates = await makeTemplates(postgres.url, scratch)
      const env = {
        ...process.env,
        // Loading the code takes half as long with it.
        NODE_COMPILE_CACHE: BARE_ENVIRONMENT.NODE_COMPILE_CACHE,
        TEST_POSTGRES_URL: postgres.url,
        TEST_DATABASE_FOLDER: scratch,
        ...(browser !== undefined && { TEST_BROWSER: browser }),
        ...templates,
      }
      const runnable = files.filter((file) => !notRun.includes(file))
      const inBrowser = groupsOf(runnable.filter(needsBrowser))
      const ofSeveralProcesses = groupsOf(runnable.filter(startsProcesses))
      const others = groupsOf(runnable.filter((file) => !needsBrowser(file) && !startsProcesses(file)))
      let runs = 0
      const run = async (group: readonly string[]) => {
        const eventFile = join(scratch, `events-${++runs}.jsonl`)
        const result = await runGroup(group, { eventFile, env, limit: limitFor(group), interrupted })
        print(result)
        return result
      }
      const workOn = async (...queues: string[][][]) => {
        while (!interrupted.aborted) {
          const queue = queues.find(({ length }) => length > 0)
          if (queue === undefined) return
          const { files: ran, notRun } = await run(queue.shift() ?? [])
          results.push(...ran)
          if (notRun.length > 0) queue.unshift([...notRun])
        }
      }
      const workers = (count: number, ...queues: string[][][]) =>
        Array.from({ length: count }, () => workOn(...queues))
      await Promise.all([
        ...workers(AT_ONCE.inBrowser, inBrowser, ofSeveralProcesses, others),
        ...workers(AT_ONCE.ofSeveralProcesses, ofSeveralProcesses, others, inBrowser),
        ...workers(AT_ONCE.others, others, ofSeveralProcesses, inBrowser),
      ])
      const repeated = await repeatFailed(results, interrupted, async (file) => {
        console.log(`\nOnce more, with nothing beside it: ${file}`)
        return (await run([file])).files[0]
      })
      results = repeated.results
      passedAlone = repeated.passedAlone
      failed.push(...results.flatMap(failuresOf))
    } finally {
      await postgres.stop()
    }
  } catch (error) {
    console.log(error)
    failed.push('the test run itself')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  if (interrupted.aborted) failed.push('interrupted')

  if (passedAlone.length > 0) {
    console.log(
      `\nPassed only with nothing beside them:\n${passedAlone.map((name) => `  ${name}`).join('\n')}`,
    )
  }
  if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
  printTimes(results, performance.now() - startedAt)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  console.log(`\n${passed} passed, ${failed.length} failed`)
  return failed.length === 0 && passed > 0 ? 0 : 1
}

/** The pages and the bundle, which is made with the pages. */
async function makeAll(): Promise<void> {
  await make(PAGES, 'build.ts')
  await make(SERVER, 'bundle.ts')
}

/** Runs a tool, unless what it makes is of the present sources. */
async function make(built: Built, tool: string): Promise<void> {
  if (isFresh(root, built)) return
  const { failed, output } = await runTool(tool, `tools/${tool}`)
  if (failed) throw new Error(`tools/${tool} failed: ${output}`)
}

/** In memory, where Linux has room there: the tests commit too often for a disk. */
async function scratchRoot(): Promise<string> {
  try {
    await access(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(IN_MEMORY)
    return Math.min(bavail * bsize, freemem()) > ROOM ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** The browser for those of `files` that need one; undefined if none starts. */
async function findBrowser(files: readonly string[]): Promise<string | undefined> {
  if (!files.some(needsBrowser)) return undefined
  try {
    const { path, sentence } = await findChromium()
    console.log(`Browser: ${sentence}.\n`)
    return path
  } catch (error) {
    const count = files.filter(needsBrowser).length
    console.log(`✖ ${IN_BROWSER} (${count} files not run)\n${indent((error as Error).message)}\n`)
    return undefined
  }
}

function needsBrowser(file: string): boolean {
  return file.startsWith(IN_BROWSER)
}

function startsProcesses(file: string): boolean {
  return file.startsWith(OF_SEVERAL_PROCESSES) && !needsBrowser(file)
}

async function findTestFiles(filters: readonly string[]): Promise<string[]> {
  const files = await Array.fromAsync(glob(TESTS, { cwd: root }))
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/** The long files come first, so that all workers end together. */
function rankOf(file: string): number {
  const rank = LONGEST_FIRST.findIndex((part) => file.includes(part))
  return rank === -1 ? LONGEST_FIRST.length : rank
}

/** What runs in one process. */
function groupsOf(files: readonly string[]): string[][] {
  const groups: string[][] = []
  let sharedBy = 0
  for (const file of files) {
    const most = mostBeside(file)
    const group = groups.at(-1)
    if (group !== undefined && group.length < most && most === sharedBy) group.push(file)
    else groups.push([file])
    sharedBy = most
  }
  return groups
}

function mostBeside(file: string): number {
  const [, most = 1] = Object.entries(PER_PROCESS).find(([beginning]) => file.startsWith(beginning)) ?? []
  return most
}

function failuresOf({ file, failures }: FileResult): string[] {
  return failures.map(({ name }) => (name === '' ? file : `${file} › ${name}`))
}

function print({ files, output }: GroupResult): void {
  for (const { file, passed, failures, duration } of files) {
    const seconds = (duration / 1000).toFixed(1)
    if (failures.length === 0) {
      console.log(`✔ ${file} (${passed} passed, ${seconds} s)`)
      continue
    }
    console.log(`\n✖ ${file} (${passed} passed, ${failures.length} failed, ${seconds} s)`)
    for (const { name, reason } of failures) {
      console.log(indent(name === '' ? reason : `✖ ${name}\n${indent(reason)}`))
    }
  }
  if (files.some(({ failures }) => failures.length > 0)) {
    if (output.trim() !== '') console.log(indent(`Printed by their process:\n${indent(output.trim())}`))
    console.log()
  } else {
    // Notes say what a file was tried against.
    for (const note of new Set(output.match(/^Note: .*$/gm))) console.log(indent(note))
  }
}

function printTimes(results: readonly FileResult[], total: number): void {
  const slowest = results.toSorted((a, b) => b.duration - a.duration).slice(0, 10)
  if (slowest.length < 10) return
  console.log(`\nThe ten slowest files of ${Math.round(total / 1000)} s:`)
  for (const { file, duration } of slowest)
    console.log(`  ${(duration / 1000).toFixed(1).padStart(6)} s  ${file}`)
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())
process.exitCode = await main(process.argv.slice(2), interruption.signal)
