import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SEARCH_PATH } from './installed.ts'
import { findAccount } from './postgres.ts'
import { findFreePort } from './server-process.ts'
import type { Pooler } from './transaction-pooler.ts'

const START_LIMIT = 120_000

/** Throws if PgBouncer is not installed, or does not start. It connects to no server before a client does. */
export async function probePgBouncer(): Promise<void> {
  const pooler = await startPgBouncer('postgres://nobody@127.0.0.1:1/none')
  await pooler.stop()
}

/** Starts PgBouncer in transaction mode in front of a server. */
export async function startPgBouncer(serverUrl: string): Promise<Pooler> {
  const target = new URL(serverUrl)
  const port = await findFreePort()
  const account = await findAccount()
  const folder = await mkdtemp(join(account ? '/tmp' : tmpdir(), 'punctual-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_round_robin = 1
`,
  )
  if (account) for (const path of [folder, file]) await chown(path, account.uid, account.gid)
  const child = spawn('pgbouncer', [file], {
    ...account,
    cwd: folder,
    env: { ...process.env, PATH: SEARCH_PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit').catch(() => {})
  const stop = async () => {
    child.kill('SIGKILL')
    if (child.pid !== undefined) await exited
    await rm(folder, { recursive: true, force: true })
  }
  await new Promise<void>((resolve, reject) => {
    let output = ''
    setTimeout(() => reject(new Error('it is not ready in time')), START_LIMIT).unref()
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`it did not start: ${output}`)))
    createInterface(child.stderr).on('line', (line) => {
      output += `${line}\n`
      if (line.includes('process up')) resolve()
    })
  }).catch(async (error) => {
    await stop()
    throw error
  })
  const url = new URL(serverUrl)
  url.port = String(port)
  return { url: url.href, stop }
}
