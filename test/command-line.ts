import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../src/cli/run.ts'
import type { Db } from '../src/store/engine/database.ts'
import type { EngineName } from '../src/store/engine/engine.ts'
import { BARE_ENVIRONMENT } from './bare-environment.ts'
import { DATABASE_FOLDER, freshDatabase, openPatiently } from './databases.ts'
import { type AppUnderTest, appOn } from './kit.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** One line for a person. */
export const ONE_LINE = /^[^\n]+\n$/

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line in its own process. */
export async function run(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Outcome> {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: ROOT,
    env: { ...BARE_ENVIRONMENT, ...env },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

/** The same in this process: starting another takes longer than most commands. */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  const code = await runCommand(args, {
    environment,
    print: (line) => {
      stdout += `${line}\n`
    },
    complain: (line) => {
      stderr += `${line}\n`
    },
  })
  return { code, stdout, stderr }
}

/** A place where the command line works: settings, and the database that they mean. */
export interface Instance {
  readonly env: Record<string, string>
  readonly folder: string
  db(): Db
  /** The server on the same database, with the same secret. */
  app(): Promise<AppUnderTest>
  run(...args: string[]): Promise<Outcome>
  /** Runs a command that is to succeed, and returns what it prints. */
  do(...args: string[]): Promise<string>
  /** Runs a command that is to be refused, and returns the reason. */
  refused(...args: string[]): Promise<string>
  end(): Promise<void>
}

export async function startInstance(
  engine: EngineName,
  more: Record<string, string> = {},
): Promise<Instance> {
  const folder = await mkdtemp(join(DATABASE_FOLDER, 'punctual-cli-'))
  const fresh = engine === 'postgres' ? await freshDatabase('postgres') : undefined
  const env = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: fresh?.url ?? '',
    DATABASE_TIMEOUT_SECONDS: '300',
    // The one that the tests' app has.
    JWT_SECRET: 'a-secret-that-only-the-tests-know-of',
    PUBLIC_URL: 'https://book.example.com',
    ...more,
  }
  let db: Db | undefined
  const instance: Instance = {
    env,
    folder,
    db: () => (db ??= openPatiently(fresh?.url ?? join(env.DATA_DIR, 'punctual.sqlite'))),
    app: () => appOn(instance.db(), { signup: 'closed' }),
    run: (...args) => runHere(args, env),
    async do(...args) {
      const { code, stdout, stderr } = await runHere(args, env)
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
      assert.equal(stderr, '')
      return stdout
    },
    async refused(...args) {
      const { code, stdout, stderr } = await runHere(args, env)
      assert.equal(code, 1, `${args.join(' ')}: ${stdout}${stderr}`)
      assert.equal(stdout, '')
      assert.match(stderr, ONE_LINE)
      return stderr
    },
    async end() {
      await db?.destroy()
      await fresh?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return instance
}
