import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EngineName } from '../../src/store/engine/engine.ts'
import { insertJobs } from '../../src/store/outbox.ts'
import { freshHome, type Home } from '../server-process.ts'

// Workers as processes of their own, which are killed in the middle of what they do.

const SCRIPT = fileURLToPath(new URL('../worker-process.ts', import.meta.url))
const END_WITH_PARENT = new URL('../../tools/end-with-parent.mjs', import.meta.url).href
const LEASE = 500
/** Long enough that a machine that stands still for seconds doesn't let a living worker's jobs go to another. */
const LONG_LEASE = 10_000

interface Told {
  readonly id: number
  readonly data: unknown
  readonly by: number
}

/** Hears what workers do. Whom it does not answer hangs in the middle of it. */
async function startReceiver() {
  const heard: Told[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const silentTo = new Set<number>()
  let silent = false
  const server = createServer(async (request, response: ServerResponse) => {
    const told: Told = JSON.parse(Buffer.concat(await request.toArray()).toString())
    heard.push(told)
    for (const { count, resolve } of waiting) if (heard.length >= count) resolve()
    if (!silent && !silentTo.has(told.by)) response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    silentTo,
    setSilent: (value: boolean) => {
      silent = value
    },
    async reach(count: number) {
      if (heard.length >= count) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count, resolve })
      await promise
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

for (const engine of ['sqlite', 'postgres'] as const satisfies readonly EngineName[]) {
  describe(`workers that die on ${engine}`, () => {
    let home: Home
    let receiver: Awaited<ReturnType<typeof startReceiver>>
    const children: ChildProcess[] = []
    before(async () => {
      home = await freshHome(engine)
      receiver = await startReceiver()
    })
    after(async () => {
      for (const child of children) child.kill('SIGKILL')
      receiver.close()
      await home.remove()
    })

    async function startProcess(lease = LEASE): Promise<ChildProcess & { pid: number }> {
      const args = ['--import', END_WITH_PARENT, SCRIPT, home.url, receiver.url, String(lease)]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      await once(child.stdout, 'data')
      return child as ChildProcess & { pid: number }
    }
    async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
      const exit = once(child, 'exit')
      child.kill(signal)
      return (await exit)[0]
    }
    const write = (count: number, lane: string | null = null) =>
      home.db.transaction().execute((trx) => {
        const now = Date.now()
        const jobs = Array.from({ length: count }, (_, data) => ({
          kind: 'mail' as const,
          lane,
          data,
          dueAt: now,
        }))
        return insertJobs(trx, jobs, now)
      })
    /** Until nothing is left to do. */
    async function untilEmpty(): Promise<void> {
      while ((await home.db.selectFrom('outbox').select('id').limit(1).execute()).length > 0) await sleep(10)
    }

    it('repeat jobs that were done but not completed, and lose none', async () => {
      receiver.setSilent(true)
      const first = await startProcess()
      await write(4)
      await receiver.reach(4)
      await end(first, 'SIGKILL')
      assert.equal((await home.db.selectFrom('outbox').select('id').execute()).length, 4)
      receiver.setSilent(false)
      const second = await startProcess()
      await receiver.reach(8)
      await untilEmpty()
      assert.equal(await end(second, 'SIGTERM'), 0)
      const [before, again] = [receiver.heard.slice(0, 4), receiver.heard.slice(4)]
      assert.deepEqual(again.map(({ id }) => id).toSorted(), before.map(({ id }) => id).toSorted())
      assert.ok(again.every(({ by }) => by === second.pid))
    })

    it('leave a lane in order to the next worker', async () => {
      const told = receiver.heard.length
      const first = await startProcess()
      await write(5, 'one')
      await receiver.reach(told + 1)
      await end(first, 'SIGKILL')
      const second = await startProcess()
      await untilEmpty()
      await end(second, 'SIGTERM')
      const order = receiver.heard.slice(told).map(({ data }) => data as number)
      // Each may be announced twice, but never after a later one.
      assert.deepEqual(order, order.toSorted())
      assert.deepEqual([...new Set(order)], [0, 1, 2, 3, 4])
    })

    it('share what there is, each job once; when one is killed, the other takes over', async () => {
      const told = receiver.heard.length
      const [one, two] = [await startProcess(LONG_LEASE), await startProcess(LONG_LEASE)]
      await write(120)
      await untilEmpty()
      const done = receiver.heard.slice(told)
      assert.equal(done.length, 120)
      assert.equal(new Set(done.map(({ id }) => id)).size, 120)

      receiver.silentTo.add(one.pid)
      const then = receiver.heard.length
      // Until the one has something in hand.
      while (!receiver.heard.slice(then).some(({ by }) => by === one.pid)) {
        await write(10)
        await sleep(20)
      }
      await end(one, 'SIGKILL')
      await untilEmpty()
      const later = receiver.heard.slice(then)
      const hanging = later.filter(({ by }) => by === one.pid).map(({ id }) => id)
      const takenOver = later.filter(({ by }) => by === two.pid).map(({ id }) => id)
      assert.ok(hanging.length > 0)
      for (const id of hanging) assert.ok(takenOver.includes(id), `${id} was lost`)
      assert.equal(new Set(takenOver).size, takenOver.length)
      await end(two, 'SIGTERM')
    })
  })
}
