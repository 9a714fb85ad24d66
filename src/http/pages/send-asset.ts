import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asset } from './built-pages.ts'

/** Sends a file, compressed at build time if the client accepts that. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? ''
  reply.type(asset.type).header('vary', 'accept-encoding')
  if (asset.brotli !== undefined && /\bbr\b/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(asset.brotli)
  }
  if (asset.gzip !== undefined && /\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(asset.gzip)
  }
  return reply.send(asset.plain)
}
