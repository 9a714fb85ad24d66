import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { killGroup } from './process-group.ts'
import type { Outcome } from './test-events.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const REPORTER = new URL('test-events.ts', import.meta.url).href
const SCRIPT = fileURLToPath(new URL('run-test-files.ts', import.meta.url))

export interface GroupOptions {
  /** Where the files' outcomes are written, one on each line. */
  readonly eventFile: string
  readonly env: NodeJS.ProcessEnv
  /** In milliseconds. */
  readonly limit: number
  readonly interrupted?: AbortSignal
}

export interface FileResult {
  readonly file: string
  readonly passed: number
  /** An empty name: the file itself failed, not a test in it. */
  readonly failures: readonly { readonly name: string; readonly reason: string }[]
  /** In milliseconds. */
  readonly duration: number
}

export interface GroupResult {
  /** Of those that were run. */
  readonly files: readonly FileResult[]
  /** The process ended before it came to these. */
  readonly notRun: readonly string[]
  /** What the files printed. */
  readonly output: string
}

/** Runs test files one after the other in one process, and ends that process and its children at the limit. */
export async function runGroup(files: readonly string[], options: GroupOptions): Promise<GroupResult> {
  const { eventFile, env, limit, interrupted } = options
  // Detached: in its own process group, which can be ended as a whole.
  const child = spawn(
    process.execPath,
    [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${eventFile}`, SCRIPT, ...files],
    { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const timeout = AbortSignal.timeout(limit)
  const stop = AbortSignal.any(interrupted ? [timeout, interrupted] : [timeout])
  const kill = () => killGroup(child)
  stop.addEventListener('abort', kill)
  const ending = await new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  stop.removeEventListener('abort', kill)
  const timedOut = timeout.aborted
  // The last of its output may still be on its way, and a process it left behind may hold the pipe open.
  killGroup(child)
  if (!child.stdout.closed) await Promise.race([once(child, 'close'), sleep(1000, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()

  const outcomes = await readOutcomes(eventFile)
  const results = files.map((file) => resultOf(file, outcomes))
  // The process ended with the first file that did not end, or after the last one.
  const last = results.find(({ ended }) => !ended) ?? results.at(-1)
  const hasFailures = results.some(({ failures }) => failures.length > 0)
  const fault = (reason: string) => last?.failures.push({ name: '', reason })
  if (timedOut) fault(`${last?.file} passed its limit of ${limit / 1000} s${lastBegun(outcomes)}.`)
  else if (!outcomes.some(({ kind }) => kind === 'end')) fault(`The file was cut short (${ending}).`)
  else if (!hasFailures && ending !== 'exit code 0') fault(`The file ended with ${ending}.`)
  const strays = outcomes.flatMap((outcome) =>
    outcome.kind === 'end' || files.some((file) => `${outcome.name} › `.startsWith(`${file} › `))
      ? []
      : [outcome.name],
  )
  if (strays.length > 0) {
    fault(
      `"${new Set(strays).values().toArray().join('", "')}" belongs to no file: declare tests while it is loaded.`,
    )
  }
  const ran = results.filter(({ ended, failures, passed }) => ended || failures.length > 0 || passed > 0)
  for (const { failures, passed } of ran) {
    if (failures.length === 0 && passed === 0) failures.push({ name: '', reason: 'No test ran.' })
  }
  const notRun = results.filter((result) => !ran.includes(result)).map(({ file }) => file)
  return { files: ran, notRun, output }
}

interface Result extends FileResult {
  readonly failures: { readonly name: string; readonly reason: string }[]
  readonly ended: boolean
}

function resultOf(file: string, outcomes: readonly Outcome[]): Result {
  const prefix = `${file} › `
  const end = outcomes.find((outcome) => outcome.kind === 'ended' && outcome.name === file)
  return {
    file,
    passed: outcomes.filter((outcome) => outcome.kind === 'passed' && outcome.name.startsWith(prefix)).length,
    failures: outcomes
      .filter((outcome) => outcome.kind === 'failed')
      .filter(({ name }) => name === file || name.startsWith(prefix))
      .map(({ name, reason }) => ({ name: name.slice(prefix.length), reason })),
    ended: end !== undefined,
    duration: end?.kind === 'ended' ? end.duration : 0,
  }
}

function lastBegun(outcomes: readonly Outcome[]): string {
  const last = outcomes.findLast((outcome) => outcome.kind === 'begun')
  return last ? `; the last test begun was "${last.name}"` : '; no test had begun'
}

async function readOutcomes(eventFile: string): Promise<Outcome[]> {
  const lines = (await readFile(eventFile, 'utf8').catch(() => '')).split('\n')
  // The last line is empty, or half written by a process that was killed.
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}
