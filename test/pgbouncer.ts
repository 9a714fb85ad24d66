import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findAccount } from './postgres.ts'
import { findFreePort } from './server-process.ts'
import type { Pooler } from './transaction-pooler.ts'

/** Debian keeps it where only administrators look. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** Starts PgBouncer in transaction mode in front of a server; undefined where it is not installed. */
export async function startPgBouncer(serverUrl: string): Promise<Pooler | undefined> {
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
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit').catch(() => {})
  const stop = async () => {
    child.kill('SIGKILL')
    if (child.pid !== undefined) await exited
    await rm(folder, { recursive: true, force: true })
  }
  const missing = await new Promise<boolean>((resolve, reject) => {
    let output = ''
    child.on('error', () => resolve(true))
    child.on('exit', () => reject(new Error(`PgBouncer did not start:\n${output}`)))
    createInterface(child.stderr).on('line', (line) => {
      output += `${line}\n`
      if (line.includes('process up')) resolve(false)
    })
  }).catch(async (error) => {
    await stop()
    throw error
  })
  if (missing) {
    await stop()
    return undefined
  }
  const url = new URL(serverUrl)
  url.port = String(port)
  return { url: url.href, stop }
}
