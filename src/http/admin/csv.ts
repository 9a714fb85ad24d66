import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sendEncoded } from '../encoded.ts'

/**
 * Answers with CSV as it is made: no more is read ahead than the client takes, and a client that goes away ends it.
 *
 * If a later part fails, the connection is closed without the end of the body. The client then knows that the file
 * is not whole.
 */
export function sendCsv(reply: FastifyReply, fileName: string, chunks: AsyncIterable<string>): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  // By bytes: it would otherwise read sixteen chunks ahead, however large they are.
  return sendEncoded(
    reply,
    'text/csv; charset=utf-8; header=present',
    Readable.from(chunks, { objectMode: false }),
  )
}
