import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Spreads requests over instances that say they are ready. `x-served-by` names the one that answered. */
export interface LoadBalancer {
  readonly port: number
  stop(): Promise<void>
}

/** Starts a small load balancer that does what HAProxy does with `deploy/haproxy.cfg`. */
export async function startLoadBalancer(servers: Readonly<Record<string, number>>): Promise<LoadBalancer> {
  const balancer = await startOwn(servers)
  while (!(await isReady(balancer.port))) await sleep(20)
  return balancer
}

/** Whether an instance, or one behind a load balancer, says on this port that it is ready. */
export async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** As `deploy/haproxy.cfg`: checks `/readyz`, and tries another instance only if the first could not be reached. */
async function startOwn(servers: Readonly<Record<string, number>>): Promise<LoadBalancer> {
  const ready = new Set<string>()
  const failures = new Map<string, number>()
  let stopped = false
  let turn = 0
  const check = async (name: string, port: number) => {
    while (!stopped) {
      const ok = await isReady(port)
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
    port: (server.address() as { port: number }).port,
    async stop() {
      stopped = true
      server.closeAllConnections()
      server.close()
      await Promise.all(checks)
    },
  }
}
