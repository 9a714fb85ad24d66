import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { killGroup } from './process-group.ts'
import type { Outcome } from './test-events.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface FileOptions {
  /** Where the file's outcomes are written, one on each line. */
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
  /** What the file printed. */
  readonly output: string
  readonly duration: number
}

/** Runs one test file in its own process, and ends that process and its children at the limit. */
export async function runFile(file: string, options: FileOptions): Promise<FileResult> {
  const { eventFile, env, limit, interrupted } = options
  const startedAt = performance.now()
  const reporter = new URL('test-events.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    [`--test-reporter=${reporter}`, `--test-reporter-destination=${eventFile}`, file],
    // Detached: in its own process group, which can be ended as a whole.
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
  const passed = outcomes.filter(({ kind }) => kind === 'passed').length
  const failures = outcomes.filter((outcome) => outcome.kind === 'failed')
  const fault = (reason: string) => failures.push({ kind: 'failed', name: '', reason })
  if (timedOut) fault(`${file} passed its limit of ${limit / 1000} s${lastBegun(outcomes)}.`)
  else if (outcomes.length === 0 && ending === 'exit code 0') fault('The file ended before any test did.')
  else if (!outcomes.some(({ kind }) => kind === 'end')) fault(`The file was cut short (${ending}).`)
  else if (failures.length === 0 && ending !== 'exit code 0') fault(`The file ended with ${ending}.`)
  else if (failures.length === 0 && passed === 0) fault('No test ran.')
  return { file, passed, failures, output, duration: performance.now() - startedAt }
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
