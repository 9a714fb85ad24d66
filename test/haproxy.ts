import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SEARCH_PATH } from './installed.ts'
import { isReady, type LoadBalancer } from './load-balancer.ts'
import { findFreePort } from './server-process.ts'

const CONFIG = new URL('../deploy/haproxy.cfg', import.meta.url)
const env = { ...process.env, PATH: SEARCH_PATH }

/** Throws if HAProxy is not installed, or is older than 2.4, which `deploy/haproxy.cfg` needs. */
export async function probeHaProxy(): Promise<void> {
  const { stdout } = await promisify(execFile)('haproxy', ['-v'], { env, timeout: 60_000 })
  const [, major, minor] = /version (\d+)\.(\d+)/.exec(stdout) ?? []
  if (!(Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 4))) {
    throw new Error(`not 2.4 or newer: ${stdout}`)
  }
}

/** Starts HAProxy with `deploy/haproxy.cfg`. */
export async function startHaProxy(servers: Readonly<Record<string, number>>): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-haproxy-'))
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, await configure(servers, port))
  const child = spawn('haproxy', ['-db', '-f', file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await isReady(port))) {
    if (child.exitCode !== null) {
      await stop()
      throw new Error(`HAProxy did not start:\n${output}`)
    }
    await sleep(20)
  }
  return { port, stop }
}

/** The deployed configuration, with other addresses and a header that says who answered. */
async function configure(servers: Readonly<Record<string, number>>, port: number): Promise<string> {
  const addresses = Object.entries(servers)
  let config = await readFile(CONFIG, 'utf8')
  config = config.replace('bind :8080', `bind 127.0.0.1:${port}`)
  for (const [name, at] of addresses) {
    const line = new RegExp(`server ${name} \\S+`)
    if (!line.test(config)) throw new Error(`deploy/haproxy.cfg has no server ${name}`)
    config = config.replace(line, `server ${name} 127.0.0.1:${at}`)
  }
  return `${config}    http-response set-header x-served-by %s\n`
}
