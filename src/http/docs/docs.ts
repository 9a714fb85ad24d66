import type { FastifyPluginAsync } from 'fastify'
import { compressAnswer } from '../compression.ts'
import { completeDocument, type Document, hostPart, publicPart } from './openapi.ts'
import { CONTENT_SECURITY_POLICY, renderDocs } from './page.ts'

const DAY = 86_400_000

/** The OpenAPI document, and a page that makes it readable. */
export const docsRoutes: FastifyPluginAsync<{ readonly now?: () => number }> = async (
  app,
  { now = Date.now },
) => {
  app.addHook('onSend', compressAnswer)
  let made:
    | { readonly day: number; readonly json: Buffer; readonly admin: Buffer; readonly page: Buffer }
    | undefined

  /** Both, made once a day: the dates of the examples must not fall behind. */
  const published = () => {
    const day = Math.floor(now() / DAY)
    if (made?.day !== day) {
      const whole = app.swagger() as unknown as Document
      const document = completeDocument(publicPart(whole), now())
      made = {
        day,
        json: Buffer.from(JSON.stringify(document)),
        admin: Buffer.from(JSON.stringify(completeDocument(hostPart(whole), now()))),
        page: Buffer.from(renderDocs(document)),
      }
    }
    return made
  }

  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .type('application/json; charset=utf-8')
      .send(published().json),
  )

  app.get('/openapi-admin.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(published().admin),
  )

  app.get('/docs', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(published().page),
  )
}
