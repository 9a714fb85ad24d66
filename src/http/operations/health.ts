import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../services/context.ts'
import { createReadinessCheck } from '../../services/workspace/checks/readiness.ts'
import { readRelease } from '../../version.ts'

interface HealthOptions {
  readonly context: Context
  /** Whether this instance is about to stop: load balancers should send their requests elsewhere. */
  readonly isDraining: () => boolean
}

/** For orchestrators and load balancers: is the process alive, and can it take requests? */
export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { context, isDraining }) => {
  const schema = { hide: true }
  const alive = { status: 'ok', ...readRelease() }
  const check = createReadinessCheck(context, app.log)

  app.get('/healthz', { schema }, (_request, reply) => reply.header('cache-control', 'no-store').send(alive))
  app.get('/readyz', { schema }, async (_request, reply) => {
    const status = isDraining() ? 'draining' : await check()
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status })
  })
}
