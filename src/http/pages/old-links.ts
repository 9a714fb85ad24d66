import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { html } from '../../format/text/html.ts'
import { readWholeUid } from '../../services/bookings/guest/manage-link.ts'
import { findEndedLink, findLinkedPath } from '../../services/bookings/guest/open-event-type.ts'
import type { Context } from '../../services/context.ts'
import { findNewPath, findOldBooking, findOldForm, routeOldForm } from '../../services/imports/old-links.ts'
import { clientAddress, countRequest, type RateLimits } from '../gate.ts'
import type { CountGuess } from '../old-uids.ts'
import { frame } from './first-paint.ts'
import { type PageSender, PRIVATE } from './page-sender.ts'

/** What a guest came with that opens something here; an old address has none of it. */
const SECRETS = ['token', 'link', 'routing']

/** Its language, and how a site shows it in a frame. */
const KEPT = ['lang', 'embed', 'embed_domain', 'theme', 'hide', 'primary_color']

const ROUTINGS_PER_MINUTE = 30
const FORM_ROUTINGS_PER_MINUTE = 300

/** Leads on from an address at which there is nothing, if the service that people came from had something there. */
export type LeadOn = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

/**
 * Addresses of Cal.com: in mails, on websites, in calendars. They are looked up only where there is nothing else, so that
 * all other pages are as fast as without.
 */
export function createOldLinks(
  context: Context,
  pages: PageSender,
  lead: LeadToBooking,
  rateLimits: RateLimits,
): LeadOn {
  const perClient = rateLimits('evaluate', ROUTINGS_PER_MINUTE, 60)
  const perForm = rateLimits('evaluate-form', FORM_ROUTINGS_PER_MINUTE, 60)

  /** Answers a form by the address, and says where it leads. */
  async function route(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const query = queryOf(request)
    const published = await findOldForm(context, query.get('form') ?? '')
    if (published === undefined) return undefined
    await countRequest(perClient, request, reply)
    await countRequest(perForm, request, reply, { key: published.form.id, silent: true })
    query.delete('form')
    const routed = await routeOldForm(context, published, [...query], {
      dryRun: request.method === 'HEAD',
      clientAddress: clientAddress(request),
    })
    reply.headers(PRIVATE)
    if (routed.kind === 'elsewhere') return reply.redirect(routed.url, 302)
    if (routed.kind !== 'message') return reply.redirect(pages.base + withQuery(routed.path, query), 302)
    const locale = pages.localeFor(request, published.scheduler.locale)
    const { name } = published.form
    return pages.sendPlain(request, reply.code(200), {
      title: name,
      description: '',
      noindex: true,
      locale,
      body: frame(
        pages.base,
        html`<main class="card notice"><h1>${name}</h1><p>${routed.message}</p></main>`,
        locale.language,
      ),
    })
  }

  return async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const path = pathOf(request)
    if (path === undefined || OURS.test(path)) return undefined
    const query = queryOf(request)
    if (/^\/(?:apps\/routing-forms\/)?router\/?$/.test(path)) return route(request, reply)
    const uid = /^\/reschedule\/([^/]+)\/?$/.exec(path)?.[1]
    if (uid !== undefined) return lead(request, reply, uid, 'reschedule')
    const link = /^\/d\/([^/]+)\/[^/]+\/?$/.exec(path)?.[1]
    if (link !== undefined) {
      const to = await pathOfLink(context, link)
      if (to === undefined) return undefined
      query.set('link', link)
      return reply.headers(PRIVATE).redirect(`${pages.base}${to}?${query}`, 302)
    }
    const to = PAGES.test(path) ? await findNewPath(context, path) : undefined
    if (to === undefined || to === path) return undefined
    // Cached briefly, as everything that has moved here.
    return reply.header('cache-control', 'max-age=60').redirect(pages.base + withQuery(to, query), 301)
  }
}

/** Leads to the booking that has a uid, there or in `/v2`, with what opens it. Undefined if there is none. */
export type LeadToBooking = (
  request: FastifyRequest,
  reply: FastifyReply,
  uid: string,
  step?: 'reschedule',
) => Promise<FastifyReply | undefined>

export function bookingLeader(context: Context, pages: PageSender, countGuess: CountGuess): LeadToBooking {
  return async (request, reply, uid, step) => {
    const query = queryOf(request)
    // Programs make links of the uids that `/v2` and webhooks give them, as they did there.
    const whole = readWholeUid(context, uid)
    if (whole === undefined) await countGuess(request, reply)
    const seatUid = query.get('seatReferenceUid') ?? undefined
    const found = whole ?? (await findOldBooking(context, uid, seatUid))
    if (found === undefined) return undefined
    const kept = new URLSearchParams({ token: found.token, ...(step && { step }) })
    for (const name of KEPT) {
      const value = query.get(name)
      if (value !== null) kept.set(name, value)
    }
    return reply.headers(PRIVATE).redirect(`${pages.base}/booking/${found.id}?${kept}`, 302)
  }
}

/** Where the page of a private link is, which says so if it has ended. */
async function pathOfLink(context: Context, link: string): Promise<string | undefined> {
  const ended = await findEndedLink(context, link)
  if (ended !== undefined) return `/${ended.scheduler.slug}/${ended.eventType.slug}`
  return findLinkedPath(context, link).catch((error) => {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  })
}

/** Paths that never were addresses there. */
const OURS = /^\/(?:api|app|assets|docs|embed)(?:\/|$)/

/** A page of a person or team there, or one of their event types or forms. */
const PAGES = /^\/(?:(?:team|org|apps\/routing-forms)\/.+|[^/]+(?:\/[^/]+)?\/?)$/i

/** The path of the request; undefined if it can't be read. */
function pathOf({ url }: FastifyRequest): string | undefined {
  try {
    return decodeURIComponent(url.split('?', 1)[0] as string)
  } catch {
    return undefined
  }
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  for (const name of SECRETS) query.delete(name)
  return query
}

function withQuery(path: string, query: URLSearchParams): string {
  if (query.size === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}
