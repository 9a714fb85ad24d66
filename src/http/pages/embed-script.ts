import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Asset } from './built-pages.ts'
import { sendAsset } from './send-asset.ts'

interface Options {
  readonly base: string
  readonly findFile: (name: string) => Asset | undefined
}

/** Addresses that stay, each with its file: our own script, and what sites of Cal.com and of Calendly load. */
const STABLE = {
  '/embed.js': 'embed.js',
  '/embed.v1.js': 'embed.js',
  '/embed/embed.js': 'calcom-embed.js',
  '/assets/external/widget.js': 'calendly-widget.js',
  '/assets/external/widget.css': 'calendly-widget.css',
} as const

const digests = new WeakMap<Asset, string>()

/** A digest of the script's content. */
function digestOf(script: Asset): string {
  const digest =
    digests.get(script) ?? createHash('sha256').update(script.plain).digest('base64url').slice(0, 16)
  digests.set(script, digest)
  return digest
}

/** The files that other sites load: at stable URLs, and our own script at one whose content never changes. */
export const embedScriptRoutes: FastifyPluginAsync<Options> = async (app, { base, findFile }) => {
  const getFile = (name: string) => {
    const script = findFile(name)
    if (script === undefined)
      throw new Problem('unavailable', sentence`The pages of this service have not been built.`)
    return script
  }
  app.addHook('onSend', async (_request, reply) => {
    // Any site may load it, including those with subresource integrity or cross-origin isolation.
    reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
  })

  for (const [path, name] of Object.entries(STABLE)) {
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const script = getFile(name)
      // Weak, because the script is the same however it is compressed.
      const etag = `W/"${digestOf(script)}"`
      reply.headers({ etag, 'cache-control': 'public, max-age=600, stale-while-revalidate=86400' })
      const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? []
      return known.includes(etag) ? reply.code(304).send() : sendAsset(request, reply, script)
    })
  }

  app.get<{ Params: { digest: string } }>(
    '/embed.v1.:digest([\\w-]+).js',
    { schema: { hide: true } },
    (request, reply) => {
      const script = getFile('embed.js')
      if (request.params.digest !== digestOf(script)) {
        // An older digest still leads to a working script.
        return reply.header('cache-control', 'no-store').redirect(`${base}/embed.v1.js`, 302)
      }
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendAsset(request, reply, script)
    },
  )
}
