import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { isInvited } from '../../domain/bookings/guest-access.ts'
import { RESERVED_SLUGS } from '../../domain/people/slug.ts'
import { type OpenedEventType, openEventType } from '../../services/bookings/guest/open-event-type.ts'
import type { Context } from '../../services/context.ts'
import { getProfile } from '../../services/people/get-profile.ts'
import { compressAnswer } from '../compression.ts'
import { tokensOf } from '../public/scheduling.ts'
import { EventGuide, eventGuide, ProfileGuide, profileGuide } from './guide.ts'
import { writeEventGuide, writeInstanceGuide, writeProfileGuide } from './guide-text.ts'

const USER = ':userSlug(^[a-z0-9-]+$)'
const EVENT = ':eventSlug(^[a-z0-9-]+$)'

interface UserPath {
  readonly userSlug: string
}
interface EventPath extends UserPath {
  readonly eventSlug: string
}

/** The guides that tell programs whom they can book, and how. */
export const agentRoutes: FastifyPluginAsyncTypebox<{ readonly context: Context }> = async (
  app,
  { context },
) => {
  const schema = { hide: true }
  // As bytes, which are compressed once.
  const instance = Buffer.from(writeInstanceGuide(context.publicUrl))
  app.addHook('onSend', compressAnswer)

  app.get('/llms.txt', { schema }, (_request, reply) => openly(reply).type(PLAIN).send(instance))

  app.get<{ Params: UserPath }>(`/${USER}.md`, { schema }, async (request, reply) => {
    const profile = await getProfile(context, request.params.userSlug)
    return openly(reply)
      .type(MARKDOWN)
      .send(writeProfileGuide(await profileGuide(context, profile)))
  })

  app.get<{ Params: UserPath }>(
    `/${USER}.json`,
    { schema: { ...schema, response: { 200: ProfileGuide } } },
    async (request, reply) => {
      const profile = await getProfile(context, request.params.userSlug)
      openly(reply)
      return profileGuide(context, profile)
    },
  )

  app.get<{ Params: EventPath }>(`/${USER}/${EVENT}.md`, { schema }, async (request, reply) => {
    const event = await openFor(request)
    const text = writeEventGuide(await eventGuide(context, event, tokensOf(request.query)))
    return openly(reply, isUnlisted(event)).type(MARKDOWN).send(text)
  })

  app.get<{ Params: EventPath }>(
    `/${USER}/${EVENT}.json`,
    { schema: { ...schema, response: { 200: EventGuide } } },
    async (request, reply) => {
      const event = await openFor(request)
      openly(reply, isUnlisted(event))
      return eventGuide(context, event, tokensOf(request.query))
    },
  )

  function openFor({ params, query }: { readonly params: EventPath; readonly query: unknown }) {
    return openEventType(context, params.userSlug, params.eventSlug, tokensOf(query))
  }
}

const isUnlisted = ({ bookable, access }: OpenedEventType) => bookable.eventType.hidden || isInvited(access)

const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

/** Readable from any origin. The same URL may be a page for browsers, so caches must tell them apart. */
function openly(reply: FastifyReply, hidden = false): FastifyReply {
  reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache', vary: 'Accept' })
  // A hidden event type can be booked by its link, but search engines must not list it.
  if (hidden) reply.header('x-robots-tag', 'noindex')
  return reply
}

// Paths of pages: one slug or two, with or without a slash at the end.
const PAGE = /^\/(?<owner>[a-z0-9-]+)(?:\/[a-z0-9-]+)?(?=\/?(?:\?|$))/

/**
 * The URL that answers a request: the guide's, if the client prefers Markdown to the page.
 *
 * The server uses it as `rewriteUrl`, so that the pages need not know of it.
 */
export function agentUrl({ method, url = '/', headers }: IncomingMessage): string {
  const { accept } = headers
  if (accept === undefined || !accept.includes('markdown')) return url
  if ((method !== 'GET' && method !== 'HEAD') || !prefersMarkdown(accept)) return url
  const page = PAGE.exec(url)
  if (page === null || RESERVED_SLUGS.has(page.groups?.owner as string)) return url
  const query = url.indexOf('?')
  return query < 0 ? `${page[0]}.md` : `${page[0]}.md${url.slice(query)}`
}

/** Whether the client prefers Markdown to HTML; with equal quality, the type named first wins. */
export function prefersMarkdown(accept: string): boolean {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality) }
  })
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  const first = wanted.find(({ type }) => type === 'text/markdown' || HTML.has(type))
  return first?.type === 'text/markdown'
}

const HTML = new Set(['text/html', 'application/xhtml+xml'])
