import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyBy } from './language.ts'

export type Encoding = 'br' | 'gzip'

/** Less than this is not worth compressing. */
export const LEAST_BYTES = 1024

/** The best encoding that the client accepts. */
export function acceptedEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined || accepted === '') return undefined
  const codings = accepted.split(',').filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
  const accepts = (name: string) =>
    codings.some((coding) => coding.split(';')[0]?.trim().toLowerCase() === name)
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : undefined
}

// The fastest levels that make a month of slots 10 to 30 times smaller, in 0.1 to 0.2 ms.
const FAST_BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 16 },
  chunkSize: 4096,
}
const FAST_GZIP = { level: 1, chunkSize: 4096 }

/** Compresses at once, for answers that are made faster than another thread could be asked. */
export function compressNow(bytes: Uint8Array, encoding: Encoding): Buffer {
  return encoding === 'br' ? brotliCompressSync(bytes, FAST_BROTLI) : gzipSync(bytes, FAST_GZIP)
}

const packed = { br: new WeakMap<Buffer, Buffer>(), gzip: new WeakMap<Buffer, Buffer>() }

/** An `onSend` hook: compresses texts on another thread. A buffer that is sent again is compressed once. */
export async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  if (reply.getHeader('content-encoding') !== undefined) return payload
  varyBy(reply, 'accept-encoding')
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  if (encoding === undefined || payload.length < LEAST_BYTES) return payload
  reply.header('content-encoding', encoding).removeHeader('content-length')
  const known = typeof payload === 'string' ? undefined : packed[encoding].get(payload)
  if (known !== undefined) return known
  const made = await (encoding === 'br' ? brotli(payload) : promisify(gzip)(payload))
  if (typeof payload !== 'string') packed[encoding].set(payload, made)
  return made
}

// A window no larger than the text: the encoder's default takes half as long again to make the same bytes.
const brotli = (payload: string | Buffer) =>
  promisify(brotliCompress)(payload, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(payload.length)))),
    },
  })
