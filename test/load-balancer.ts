import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './server-process.ts'

/** Spreads requests over instances that say they are ready. `x-served-by` names the one that answered. */
export interface LoadBalancer {
  readonly software: 'HAProxy' | 'the balancer of these tests'
  readonly port: number
  stop(): Promise<void>
}

const CONFIG = new URL('../deploy/haproxy.cfg', import.meta.url)
/** Debian keeps it where only administrators look. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** Starts HAProxy with `deploy/haproxy.cfg` where it is installed, otherwise a small balancer that does the same. */
export async function startLoadBalancer(servers: Readonly<Record<string, number>>): Promise<LoadBalancer> {
  const balancer = (await startHaProxy(servers)) ?? (await startOwn(servers))
  while (!(await fetch(`http://127.0.0.1:${balancer.port}/readyz`).then(isOk, () => false))) await sleep(20)
  return balancer
}

const isOk = async (response: Response) => {
  await response.arrayBuffer()
  return response.ok
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

async function startHaProxy(servers: Readonly<Record<string, number>>): Promise<LoadBalancer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-haproxy-'))
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, await configure(servers, port))
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exited = once(child, 'exit').catch(() => {})
  const stop = async () => {
    child.kill('SIGKILL')
    if (child.pid !== undefined) await exited
    await rm(folder, { recursive: true, force: true })
  }
  const state = await Promise.race([
    once(child, 'spawn').then(
      () => untilListening(port),
      () => 'missing' as const,
    ),
    exited.then(() => (child.pid === undefined ? ('missing' as const) : ('ended' as const))),
  ])
  if (state === 'listening') return { software: 'HAProxy', port, stop }
  await stop()
  if (state === 'ended') throw new Error(`HAProxy did not start:\n${output}`)
  return undefined
}

async function untilListening(port: number): Promise<'listening'> {
  while (
    !(await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ))
  )
    await sleep(20)
  return 'listening'
}

/** As `deploy/haproxy.cfg`: checks `/readyz`, and tries another instance only if the first could not be reached. */
async function startOwn(servers: Readonly<Record<string, number>>): Promise<LoadBalancer> {
  const ready = new Set<string>()
  const failures = new Map<string, number>()
  let stopped = false
  let turn = 0
  const check = async (name: string, port: number) => {
    while (!stopped) {
      const ok = await fetch(`http://127.0.0.1:${port}/readyz`).then(isOk, () => false)
      failures.set(name, ok ? 0 : (failures.get(name) ?? 0) + 1)
      if (ok) ready.add(name)
      else if ((failures.get(name) ?? 0) >= 2) ready.delete(name)
      await sleep(250)
    }
  }
  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, tries = 3) => {
    const names = [...ready]
    const name = names[turn++ % names.length]
    if (name === undefined) {
      response.writeHead(503).end()
      return
    }
    const { method, url, headers } = incoming
    const outgoing = request({
      host: '127.0.0.1',
      port: servers[name],
      method,
      path: url,
      headers: { ...headers, connection: 'close' },
      agent: false,
    })
    outgoing.on('response', (answer) => {
      const { connection: _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, { ...kept, 'x-served-by': name })
      answer.pipe(response)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 0) forward(incoming, body, response, tries - 1)
      else response.writeHead(502).end()
    })
    outgoing.end(body)
  }
  const server = createServer(async (incoming, response) => {
    forward(incoming, Buffer.concat(await incoming.toArray()), response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const checks = Object.entries(servers).map(([name, port]) => check(name, port))
  return {
    software: 'the balancer of these tests',
    port: (server.address() as { port: number }).port,
    async stop() {
      stopped = true
      server.closeAllConnections()
      server.close()
      await Promise.all(checks)
    },
  }
}
