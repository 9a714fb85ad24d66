import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../test/postgres.ts'
import { buildStalePages } from './build.ts'
import { check } from './check.ts'
import type { Outcome } from './test-events.ts'

const TESTS = '{src,web,tools,test}/**/*.test.ts'
const AT_ONCE = 2
const TIMEOUT = 300_000

const root = fileURLToPath(new URL('..', import.meta.url))

interface FileResult {
  readonly file: string
  readonly passed: number
  readonly failures: readonly { readonly name: string; readonly reason: string }[]
  /** What the file printed. */
  readonly output: string
  readonly duration: number
}

/** Checks, then runs the test files whose path contains one of `filters`. Returns the exit code. */
async function main(filters: readonly string[], interrupted: AbortSignal): Promise<number> {
  const failed: string[] = []
  let passed = 0
  const scratch = await mkdtemp(join(tmpdir(), 'punctual-test-'))
  try {
    failed.push(...(await check()))
    await buildStalePages()
    const postgres = await startPostgres({ durable: false })
    try {
      const env = { ...process.env, TEST_POSTGRES_URL: postgres.url }
      const files = await findTestFiles(filters)
      // Each takes the next file when it is done with one.
      const queue = files.entries()
      const takeTurns = async () => {
        for (const [number, file] of queue) {
          if (interrupted.aborted) return
          const result = await runFile(file, join(scratch, `${number}.jsonl`), env, interrupted)
          print(result)
          passed += result.passed
          failed.push(...result.failures.map(({ name }) => (name === '' ? file : `${file} › ${name}`)))
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
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

  if (failed.length > 0) console.log(`\nFailed:\n${failed.map((name) => `  ${name}`).join('\n')}`)
  console.log(`\n${passed} passed, ${failed.length} failed`)
  return failed.length === 0 && passed > 0 ? 0 : 1
}

async function findTestFiles(filters: readonly string[]): Promise<string[]> {
  const files = await Array.fromAsync(glob(TESTS, { cwd: root }))
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort()
}

/** Runs one file in a process of its own, so that it can be ended whatever it does. */
async function runFile(
  file: string,
  eventFile: string,
  env: NodeJS.ProcessEnv,
  interrupted: AbortSignal,
): Promise<FileResult> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT)
  const reporter = new URL('test-events.ts', import.meta.url).href
  const args = [`--test-reporter=${reporter}`, `--test-reporter-destination=${eventFile}`, file]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([timeout, interrupted]),
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const ended = await new Promise<string>((resolve) => {
    // Also told of being aborted, which `exit` then follows.
    child.on('error', () => {})
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  // What it printed last may still be on its way; a process it left behind may never let go of it.
  if (!child.stdout.closed) await Promise.race([once(child, 'close'), sleep(1000, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()

  const outcomes = await readOutcomes(eventFile)
  const passed = outcomes.filter(({ kind }) => kind === 'passed').length
  const failures = outcomes.filter((outcome) => outcome.kind === 'failed')
  const fault = (reason: string) => failures.push({ kind: 'failed', name: '', reason })
  if (timeout.aborted) fault(`The file did not end within ${TIMEOUT / 1000} s.`)
  else if (outcomes.length === 0 && ended === 'exit code 0') fault('The file ended before any test did.')
  else if (!outcomes.some(({ kind }) => kind === 'end')) fault(`The file was cut short (${ended}).`)
  else if (failures.length === 0 && ended !== 'exit code 0') fault(`The file ended with ${ended}.`)
  else if (failures.length === 0 && passed === 0) fault('No test ran.')
  return { file, passed, failures, output, duration: performance.now() - startedAt }
}

async function readOutcomes(eventFile: string): Promise<Outcome[]> {
  const lines = (await readFile(eventFile, 'utf8').catch(() => '')).split('\n')
  // The last line is empty, or half written by a process that was ended.
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}

function print({ file, passed, failures, output, duration }: FileResult): void {
  const seconds = (duration / 1000).toFixed(1)
  if (failures.length === 0) {
    console.log(`✔ ${file} (${passed} passed, ${seconds} s)`)
    // What a file wants to be known even when all is well, such as what it was tried against.
    for (const note of new Set(output.match(/^Note: .*$/gm))) console.log(indent(note))
    return
  }
  console.log(`\n✖ ${file} (${passed} passed, ${failures.length} failed, ${seconds} s)`)
  for (const { name, reason } of failures) {
    console.log(indent(name === '' ? reason : `✖ ${name}\n${indent(reason)}`))
  }
  if (output.trim() !== '') console.log(indent(`It printed:\n${indent(output.trim())}`))
  console.log()
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())
process.exitCode = await main(process.argv.slice(2), interruption.signal)
