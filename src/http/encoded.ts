import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends what is encoded already. The route's schema describes it, but does not write it. */
export const sendEncoded = (reply: FastifyReply, type: string, body: Buffer | Readable): FastifyReply =>
  reply.type(type).send(body)

export const JSON_TYPE = 'application/json; charset=utf-8'
