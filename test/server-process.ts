import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Schedule } from '../src/domain/event-types/hours.ts'
import { DAY } from '../src/domain/interval.ts'
import type { Db } from '../src/store/engine/database.ts'
import type { EngineName } from '../src/store/engine/engine.ts'
import { isFresh, SERVER } from '../tools/stamps.mjs'
import { BARE_ENVIRONMENT } from './bare-environment.ts'
import { DATABASE_FOLDER, migratedDatabase, openPatiently } from './databases.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** As `npm start` runs it, or from its sources where they were not bundled. */
const MAIN = join(root, isFresh(root, SERVER) ? SERVER.main : 'src/main.ts')
const END_WITH_PARENT = new URL('../tools/end-with-parent.mjs', import.meta.url).href

const ALL_DAY = [{ opens: '00:00', closes: '24:00' }]

/** Hours for hosts whose server goes by the real clock: whenever a test runs, there is something to book. */
export const alwaysOpen: Schedule = {
  timeZone: 'UTC',
  weekly: { 1: ALL_DAY, 2: ALL_DAY, 3: ALL_DAY, 4: ALL_DAY, 5: ALL_DAY, 6: ALL_DAY, 7: ALL_DAY },
  overrides: {},
}

/** A midnight, some days ahead, that no test outlives. */
export const FUTURE_MIDNIGHT = (Math.floor(Date.now() / DAY) + 3) * DAY

/** A place where server processes keep their data, which the test can look into as well. */
export interface Home {
  readonly engine: EngineName
  /** Its database, open and migrated. */
  readonly db: Db
  readonly url: string
  /** Where its server processes write files. */
  readonly dataDir: string
  /** The settings that every server process needs here. */
  readonly environment: Readonly<Record<string, string>>
  remove(): Promise<void>
}

export async function freshHome(engine: EngineName): Promise<Home> {
  const fresh = await migratedDatabase(engine)
  const { url } = fresh
  // Mails are files there, and other tests have theirs.
  const dataDir = engine === 'sqlite' ? dirname(url) : await mkdtemp(join(DATABASE_FOLDER, 'punctual-data-'))
  const db = openPatiently(url)
  return {
    engine,
    db,
    url,
    dataDir,
    environment: { DATA_DIR: dataDir, ...(engine === 'postgres' && { DATABASE_URL: url }) },
    async remove() {
      await db.destroy()
      await fresh.drop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly port: number
  /** Everything it has written to its console so far. */
  output(): string
  send(signal: NodeJS.Signals): void
  /** Settles when the process has ended, for any reason. */
  readonly exited: Promise<Exit>
}

/** Starts the service as its users do, in its own process, and waits until it listens. `main` may be another version's. */
export async function startServer(
  home: Pick<Home, 'environment'>,
  environment: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    const port = Number(environment.PORT) || (await findFreePort())
    const server = launch(main, port, { ...home.environment, ...environment })
    const failure = await server.ready
    if (failure === undefined) return server
    // Between finding a port and listening on it, anyone may take it.
    if (attempt === 5 || !server.output().includes('EADDRINUSE')) {
      throw new Error(`The server did not start (${failure}):\n${server.output()}`)
    }
  }
}

function launch(
  main: string,
  port: number,
  environment: Readonly<Record<string, string>>,
): ServerProcess & { readonly ready: Promise<string | undefined> } {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, main], {
    env: {
      ...BARE_ENVIRONMENT,
      HOST: '127.0.0.1',
      PORT: String(port),
      TRUST_PROXY: '127.0.0.1',
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return {
    port,
    exited,
    output: () => output,
    send: (signal) => {
      child.kill(signal)
    },
    ready: Promise.race([
      untilItSays(child, 'Punctual is listening').then(() => undefined),
      exited.then(({ code, signal }) => `exit ${code ?? signal}`),
    ]),
  }
}

async function untilItSays(child: ChildProcessByStdio<null, Readable, Readable>, words: string) {
  const said = Promise.withResolvers<void>()
  let text = ''
  child.stdout.on('data', (more: string) => {
    text += more
    if (text.includes(words)) said.resolve()
  })
  return said.promise
}

export async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  await once(listener, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly body: any
}

/** Someone with many open sockets to one server. */
export interface Client {
  get(path: string): Promise<Answer>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  close(): void
}

export function connectTo({ port }: Pick<ServerProcess, 'port'>, sockets = 200): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  return {
    get: (path) => answerTo(httpRequest({ host: '127.0.0.1', port, agent, path }).end()),
    post(path, body, headers = {}) {
      const json = JSON.stringify(body)
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        agent,
        path,
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(json)),
        },
      })
      return answerTo(request.end(json))
    },
    close: () => agent.destroy(),
  }
}

/** The whole answer; fails when the connection ends before it is complete. */
export async function answerTo(request: ClientRequest): Promise<Answer> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks = await response.toArray()
  return { status: response.statusCode as number, body: JSON.parse(Buffer.concat(chunks).toString()) }
}
