import assert from 'node:assert/strict'
import { it } from 'node:test'
import Fastify from 'fastify'
import { stopService } from './stop.ts'

it('ends within 20 seconds after the drain, although the database never answers', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const exit = t.mock.method(process, 'exit', () => undefined as never)
  const app = Fastify()
  t.after(() => app.close())
  const waits = Promise.withResolvers<void>()
  const stopWorker = () => {
    waits.resolve()
    return new Promise<void>(() => {})
  }
  void stopService({ app, stopWorker, closeStore: async () => {} }, 5)
  t.mock.timers.tick(5000)
  await waits.promise
  assert.equal(exit.mock.callCount(), 0)
  t.mock.timers.tick(20_000)
  assert.equal(exit.mock.callCount(), 1)
})
