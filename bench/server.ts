import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { VARIABLES } from '../src/settings.ts'
import { takeProcessLock } from '../src/store/engine/sqlite/process-lock.ts'
import { findFreePort } from '../tools/free-port.ts'
import { SERVE_FLAGS } from '../tools/serve-flags.mjs'
import { SERVER } from '../tools/stamps.mjs'
import { endOf, TIED_TO_PARENT } from './child.ts'

/** The service itself, in a separate process. */
export interface Server extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first answer. */
  readonly startSeconds: number
  residentMegabytes(): number
}

export interface ServerOptions {
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly poolSize?: number
  /** Create the demo workspace, as a first start does. */
  readonly demo?: boolean
  readonly webhookAllowPrivate?: boolean
  /** Where mail goes; absent: into files. */
  readonly smtpUrl?: string
  /** The token for `/metrics`; absent: there are none. */
  readonly metricsToken?: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const START_LIMIT = 60_000

/** Where a server with these options keeps its data. */
export function databaseOf({ dataDir, databaseUrl = '' }: ServerOptions): string {
  return databaseUrl || join(dataDir, 'punctual.sqlite')
}

/** Starts the service, and waits until it answers. */
export async function startServer(options: ServerOptions): Promise<Server> {
  // As `npm start` runs it, with its compile cache filled.
  const args = [...SERVE_FLAGS, ...TIED_TO_PARENT, join(root, SERVER.main)]
  const more = {
    MALLOC_ARENA_MAX: '1',
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  }
  const { port, child, startSeconds } = await launch(process.execPath, args, options, more)
  const pid = child.pid as number
  return {
    port,
    pid,
    startSeconds,
    residentMegabytes: () => residentKilobytes(pid) / 1024,
    [Symbol.asyncDispose]: () => endOf(child),
  }
}

/** Seconds from `npm start`, once all is installed and built, to the first answer. */
export async function secondsOfNpmStart(options: ServerOptions): Promise<number> {
  const { child, startSeconds } = await launch('npm', ['start'], options, {})
  await endOf(child)
  // The service ends a little later than npm, and until then it would keep the next one out.
  let release: (() => void) | undefined
  while (release === undefined) {
    await sleep(20)
    release = takeProcessLock(join(options.dataDir, 'lock.sqlite'))
  }
  release()
  return startSeconds
}

async function launch(
  command: string,
  args: readonly string[],
  {
    dataDir,
    databaseUrl = '',
    poolSize = 10,
    demo = false,
    webhookAllowPrivate = false,
    smtpUrl = '',
    metricsToken = '',
  }: ServerOptions,
  more: Readonly<Record<string, string>>,
) {
  const port = await findFreePort()
  const began = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    shell: process.platform === 'win32' && command === 'npm',
    env: {
      ...inheritedEnvironment(),
      ...more,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'warn',
      SMTP_URL: smtpUrl,
      METRICS_TOKEN: metricsToken,
      DEMO: demo ? 'on' : 'off',
      WEBHOOK_ALLOW_PRIVATE: webhookAllowPrivate ? 'on' : 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // Without the demo there may be no host to ask for.
  const path = demo ? '/api/public/scheduling/demo' : '/readyz'
  while ((await statusOf(port, path)) !== 200) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server did not start')
    if (performance.now() - began > START_LIMIT) {
      await endOf(child)
      throw new Error('the server did not answer')
    }
    await sleep(5)
  }
  return { port, child, startSeconds: (performance.now() - began) / 1000 }
}

/** This process's environment without any setting of the service, and without what `npm run bench` has added. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const settings = new Set<string>(Object.values(VARIABLES).map(({ name }) => name))
  const added = /^npm_|^(?:NODE_COMPILE_CACHE|MALLOC_ARENA_MAX)$/
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !settings.has(name) && !added.test(name)),
  )
}

function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', () => resolve(undefined))
  })
}

/** The body of a GET. */
export async function fetchBytes(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${bytes}`)
  return bytes
}

function residentKilobytes(pid: number): number {
  const found =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  const kilobytes = Number(found)
  if (!(kilobytes > 0)) throw new Error('this system does not report the memory of a process')
  return kilobytes
}
