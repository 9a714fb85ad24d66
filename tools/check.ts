import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkClient } from './client.ts'
import { checkDependencies } from './dependencies.ts'
import { checkImportRules } from './import-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Outcome {
  readonly name: string
  readonly failed: boolean
  readonly output: string
}

/** Checks types, lint, import rules, dependencies and the generated client; prints errors and returns the names of failed checks. */
export async function check({ fix = false } = {}): Promise<string[]> {
  const colour = process.stdout.isTTY
  const outcomes = await Promise.all([
    checkTypes('types', '.'),
    // Browser code has a `document`; the server hasn't, so each has its own types.
    checkTypes('types of the pages', 'web'),
    checkTypes('types of their tests', 'test/browser'),
    runTool('lint', 'node_modules/@biomejs/biome/bin/biome', [
      'check',
      '--error-on-warnings',
      `--colors=${colour ? 'force' : 'off'}`,
      ...(fix ? ['--write'] : []),
    ]),
    runCheck('import rules', checkImportRules),
    runCheck('dependencies', checkDependencies),
    runCheck('client', checkClient),
  ])
  for (const { name, failed, output } of outcomes) {
    console.log(failed ? `✖ ${name}\n${output.trim()}\n` : `✔ ${name}`)
  }
  return outcomes.filter(({ failed }) => failed).map(({ name }) => name)
}

async function runCheck(name: string, findErrors: () => Promise<readonly string[]>): Promise<Outcome> {
  const errors = await findErrors()
  return { name, failed: errors.length > 0, output: errors.join('\n') }
}

/** Keeps what it learnt of unchanged files, so that the next check takes a fraction of the time. */
function checkTypes(name: string, project: string): Promise<Outcome> {
  const cache = join(root, 'node_modules/.cache/types', `${project.replace(/\W/g, '-')}.json`)
  // One checker for each project: several would each learn the same types again, which takes twice the time on two cores.
  const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', cache, '--checkers', '1']
  const pretty = process.stdout.isTTY ? ['--pretty'] : []
  return runTool(name, 'node_modules/typescript/bin/tsc', ['--project', project, ...options, ...pretty])
}

/** Runs a script with this Node; launchers in `.bin` differ between systems. */
export function runTool(name: string, script: string, args: readonly string[] = []): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, script), ...args],
      { cwd: root, maxBuffer: Number.POSITIVE_INFINITY },
      (error, stdout, stderr) => resolve({ name, failed: error !== null, output: stdout + stderr }),
    )
  })
}

if (import.meta.main) {
  const failed = await check({ fix: process.argv.includes('--fix') })
  if (failed.length > 0) process.exitCode = 1
}
