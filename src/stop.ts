import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** What has to end, in this order. */
interface Running {
  readonly app: FastifyInstance
  readonly stopWorker: () => Promise<void>
  readonly closeStore: () => Promise<void>
}

const CLOSE_IDLE_EVERY = 20
/** Clients that have sent half a request get this long for the other half. */
const REQUEST_GRACE = 8000
/** With some room left before the 20 seconds that we promise. */
const STOP_WITHIN = 19_000

/**
 * Ends the service: serves on while it drains, then answers what it accepted, finishes jobs, and closes the store.
 *
 * Everything after the drain takes 20 seconds at most, even if the database does not answer: what was
 * not finished is still in the outbox, and other instances do it when its lease ends.
 */
export async function stopService(running: Running, drainSeconds: number): Promise<void> {
  const { app, stopWorker, closeStore } = running
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await sleep(drainSeconds * 1000)

  let step = 'answering requests'
  const deadline = setTimeout(() => {
    app.log.warn(`stopped while still ${step}: jobs left in the outbox run after the next start`)
    process.exit()
  }, STOP_WITHIN)
  // A timer that is unreferenced only fires if something else keeps the process alive.
  deadline.unref()

  await closeApp(app)
  step = 'finishing jobs'
  await stopWorker()
  step = 'closing the store'
  await closeStore()
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const closed = app.close()
  // A kept-alive connection becomes idle with its last answer; nothing else would close it then.
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY)
  const grace = setTimeout(() => app.server.closeAllConnections(), REQUEST_GRACE)
  await closed
  clearInterval(idle)
  clearTimeout(grace)
}
