import type { FastifyPluginAsync } from 'fastify'

/** The OpenAPI document, and a page that makes it readable. */
export const docsRoutes: FastifyPluginAsync = async (app) => {
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
