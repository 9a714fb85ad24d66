import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { civilOf, formatDate } from '../../domain/calendar-date.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { type Framers, framersOf } from '../../domain/event-types/framing.ts'
import { DAY } from '../../domain/interval.ts'
import { chooseLocale, type Locale } from '../../domain/languages.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { writeDuration } from '../../format/duration.ts'
import { findBookingFramers } from '../../services/bookings/find-framers.ts'
import type { Context } from '../../services/context.ts'
import { findFormFramers } from '../../services/forms/find-framers.ts'
import { getForm } from '../../services/forms/get.ts'
import { getProfile } from '../../services/people/get-profile.ts'
import { toFormView } from '../public/routing.ts'
import { toAbuseConfig } from '../public/scheduling.ts'
import { openBuiltPages } from './built-pages.ts'
import { paintDashboard, paintSignIn } from './dashboard-paint.ts'
import { embedScriptRoutes } from './embed-script.ts'
import { paintBooking, paintForm, paintManage, paintProfile } from './first-paint.ts'
import { noticeTitle, paintNotice } from './notice.ts'
import type { BookingData, CommonData, EventTypeData, HostData, PageData, SlotDay } from './page-data.ts'
import { type PolicyOptions, policyOf } from './policy.ts'
import { sendAsset } from './send-asset.ts'
import { renderShell, type ShellOptions } from './shell.ts'

const BUILT = fileURLToPath(new URL('../../../web/dist', import.meta.url))

// `/api` has its own routes; a slug has no dots, so `/demo/intro.md` is not a page.
const USER = ':userSlug(^(?!api$)[a-z0-9-]+$)'
const EVENT = ':eventSlug(^[a-z0-9-]+$)'
const FORM = ':formSlug(^[a-z0-9-]+$)'

const NOT_BUILT =
  'The pages of this service have not been built, so only its API works. Its operator can build them with: npm run build'

/** The service's own colour, for pages that belong to no host. */
const OWN_COLOUR = '#0f766e'

interface UserPath {
  readonly userSlug: string
}
type EventPath = UserPath & { readonly eventSlug: string }
type FormPath = UserPath & { readonly formSlug: string }

type PageOptions = Omit<ShellOptions, 'nonce' | 'base' | 'css' | 'script' | 'locale'> &
  Omit<PolicyOptions, 'nonce' | 'starter'> & {
    readonly data: PageData
    readonly headers?: Record<string, string>
  }

/** Shows a failure as a page to browsers; undefined for programs, which get JSON. */
export type ShowFailure = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  sentence: string,
) => Promise<FastifyReply> | undefined

export interface Pages {
  /** Adds the routes of the pages and of the files they load. */
  readonly routes: (app: FastifyInstance) => Promise<void>
  readonly showFailure: ShowFailure
}

/** The pages that guests see. `folder` is where they were built. */
export function createPages(context: Context, folder = BUILT): Pages {
  const built = openBuiltPages(folder)
  const base = new URL(context.publicUrl).pathname.replace(/\/$/, '')

  const localeFor = (request: FastifyRequest, own: string) => {
    const { lang } = request.query as { readonly lang?: unknown }
    return chooseLocale(typeof lang === 'string' ? lang : undefined, request.headers['accept-language'], own)
  }

  const commonFor = (request: FastifyRequest, { locale }: Scheduler, framers: Framers): CommonData => ({
    locale: localeFor(request, locale),
    base,
    embed: isEmbedded(request) && { framers },
  })

  const send = (request: FastifyRequest, reply: FastifyReply, options: PageOptions) => {
    const { data, headers } = options
    const framers = data.embed === false ? undefined : data.embed.framers
    const page = built.page(data.page, data.locale.language)
    if (page === undefined) return sendNotice(request, reply, data.locale, 503, NOT_BUILT)
    const nonce = randomBytes(16).toString('base64url')
    reply.headers({
      'content-security-policy': policyOf({ ...options, starter: page.starter, framers, nonce }),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-cache',
      ...headers,
    })
    const text = renderShell({
      ...options,
      ...(data.embed !== false && embedOptionsOf(request, options.theme)),
      locale: data.locale,
      nonce,
      base,
      css: page.css,
      script: { ...page, data },
    })
    return sendHtml(request, reply, text)
  }

  const sendNotice = (
    request: FastifyRequest,
    reply: FastifyReply,
    locale: Locale,
    status: number,
    sentence: string,
  ) => {
    const nonce = randomBytes(16).toString('base64url')
    const text = renderShell({
      title: noticeTitle(locale, status),
      description: '',
      noindex: true,
      locale,
      theme: 'auto',
      primaryColor: '',
      nonce,
      base,
      ...(isEmbedded(request) && embedOptionsOf(request, 'auto')),
      css:
        built.page('profile', locale.language)?.css ?? ':root{color-scheme:light dark;font:1rem sans-serif}',
      body: paintNotice(base, locale, status, sentence),
    })
    reply.code(status).headers({
      // The notice holds nothing private, and a site should see why its widget fails.
      'content-security-policy': policyOf({ nonce, framers: isEmbedded(request) ? 'everyone' : undefined }),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    return sendHtml(request, reply, text)
  }

  const routes = async (app: FastifyInstance) => {
    const schema = { hide: true }

    app.get<{ Params: UserPath }>(`/${USER}`, { schema }, async (request, reply) => {
      const { scheduler, eventTypes } = await getProfile(context, request.params.userSlug)
      const path = `/${scheduler.slug}`
      if (scheduler.slug !== request.params.userSlug) return moved(request, reply, base + path)
      const data = {
        ...commonFor(request, scheduler, framersOf(eventTypes)),
        page: 'profile' as const,
        host: hostData(scheduler),
        eventTypes: eventTypes.map(eventTypeData),
      }
      return send(request, reply, {
        ...look(scheduler),
        title: scheduler.name,
        description: scheduler.bio || eventTypes.map(({ name }) => name).join(' · '),
        canonical: context.publicUrl + path,
        headers: guideLink(context.publicUrl + path),
        data,
        body: paintProfile(data),
      })
    })

    app.get<{ Params: EventPath }>(`/${USER}/${EVENT}`, { schema }, async (request, reply) => {
      const { userSlug, eventSlug } = request.params
      const { scheduler, eventType } = await context.slots.getBookable(userSlug, eventSlug)
      const path = `/${scheduler.slug}/${eventType.slug}`
      if (path !== `/${userSlug}/${eventSlug}`) return moved(request, reply, base + path)
      const { captchaProvider, captchaSiteKey } = toAbuseConfig(context, scheduler.slug, eventType)
      const data: BookingData = {
        ...commonFor(request, scheduler, framersOf([eventType])),
        page: 'booking',
        host: hostData(scheduler),
        eventType: { ...eventTypeData(eventType), questions: eventType.questions },
        honeypot: eventType.abuse.honeypot,
        captcha: { provider: captchaProvider, siteKey: captchaSiteKey },
        slots: await firstSlots(context, scheduler, eventType),
      }
      return send(request, reply, {
        ...look(scheduler),
        title: `${eventType.name} · ${scheduler.name}`,
        description: eventType.description || writeDuration(data.locale.tag, eventType.durationMinutes),
        canonical: context.publicUrl + path,
        headers: guideLink(context.publicUrl + path),
        // A hidden event type can be booked by its link, but search engines must not list it.
        noindex: eventType.hidden,
        captcha: captchaProvider,
        data,
        body: paintBooking(data, context.now()),
      })
    })

    app.get<{ Params: FormPath }>(`/${USER}/forms/${FORM}`, { schema }, async (request, reply) => {
      const { userSlug, formSlug } = request.params
      const published = await getForm(context, userSlug, formSlug)
      const { form, scheduler } = published
      const path = `/${scheduler.slug}/forms/${form.slug}`
      if (path !== `/${userSlug}/forms/${formSlug}`) return moved(request, reply, base + path)
      const data = {
        ...commonFor(request, scheduler, await findFormFramers(context, form)),
        page: 'forms' as const,
        host: hostData(scheduler),
        form: toFormView(published),
      }
      return send(request, reply, {
        ...look(scheduler),
        title: `${form.name} · ${scheduler.name}`,
        description: form.description ?? '',
        canonical: context.publicUrl + path,
        data,
        body: paintForm(data),
      })
    })

    app.get<{ Params: { bookingId: string } }>('/booking/:bookingId', { schema }, async (request, reply) => {
      const { bookingId } = request.params
      const { token } = request.query as { readonly token?: unknown }
      const framers = isEmbedded(request) ? await findBookingFramers(context, bookingId, token) : undefined
      return send(request, reply, {
        title: 'Punctual',
        description: '',
        noindex: true,
        theme: 'auto',
        primaryColor: '',
        data: {
          page: 'manage',
          bookingId,
          locale: localeFor(request, 'en'),
          base,
          embed: framers !== undefined && { framers },
        },
        body: paintManage(base),
        // The URL holds a token, and the page shows personal data.
        headers: {
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow',
        },
      })
    })

    const dashboard = (request: FastifyRequest, reply: FastifyReply) => {
      const { tag, language } = localeFor(request, 'en')
      return send(request, reply, {
        title: 'Punctual',
        description: '',
        noindex: true,
        theme: 'auto',
        primaryColor: OWN_COLOUR,
        data: {
          page: 'dashboard',
          // The dashboard is in English; only dates follow the host's locale.
          locale: { language: 'en', tag: language === 'en' ? tag : 'en-GB' },
          base,
          embed: false,
          publicUrl: context.publicUrl,
        },
        body: request.url.startsWith('/app/sign-in') ? paintSignIn(base) : paintDashboard(base),
        headers: {
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow',
        },
      })
    }
    app.get('/app', { schema }, dashboard)
    app.get('/app/*', { schema }, dashboard)

    app.get<{ Params: { name: string } }>('/assets/:name', { schema }, (request, reply) => {
      const asset = built.asset(request.params.name)
      if (asset === undefined) return reply.callNotFound()
      // The name holds a digest of the content, so the file never changes.
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'same-origin')
      return sendAsset(request, reply, asset)
    })

    await app.register(embedScriptRoutes, { base, findScript: built.embedScript })
  }

  return {
    routes,
    showFailure: (request, reply, status, sentence) =>
      wantsPage(request) ? sendNotice(request, reply, localeFor(request, 'en'), status, sentence) : undefined,
  }
}

function isEmbedded({ query }: FastifyRequest): boolean {
  return (query as { readonly embed?: unknown }).embed === '1'
}

/** How the embedding site wants the page to look. */
function embedOptionsOf({ query }: FastifyRequest, own: Scheduler['theme']) {
  const { theme, hide } = query as { readonly theme?: unknown; readonly hide?: unknown }
  const known = theme === 'light' || theme === 'dark' || theme === 'auto'
  return { theme: known ? theme : own, embedded: { hideDetails: hide === 'details' } }
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return reads && !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html')
}

async function sendHtml(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept, accept-encoding, accept-language')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(text))
}

/** Tells programs where the Markdown guide to this page is. */
const guideLink = (url: string) => ({ link: `<${url}.md>; rel="alternate"; type="text/markdown"` })

/** Redirects an old slug, so that the address bar shows the new one. */
function moved(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const query = request.url.indexOf('?')
  // Cached briefly: someone else may take the old slug.
  return reply
    .header('cache-control', 'max-age=60')
    .redirect(query < 0 ? path : path + request.url.slice(query), 301)
}

function look({ avatarUrl, theme, branding }: Scheduler) {
  const images = [avatarUrl, branding.logoUrl].filter((address) => address !== '')
  const [image] = images
  return { theme, primaryColor: branding.primaryColor, images, ...(image && { image }) }
}

function hostData({ slug, kind, name, bio, avatarUrl, timeZone, branding }: Scheduler): HostData {
  return { slug, kind, name, bio, avatarUrl, timeZone, branding }
}

function eventTypeData(eventType: EventType): EventTypeData {
  const { id, slug, name, description, durationMinutes, location, requiresApproval, seats } = eventType
  const { type } = location
  return { id, slug, name, description, durationMinutes, location: { type }, requiresApproval, seats }
}

/** The rest of this month with a day on either side, so that it covers the month in every time zone. */
async function firstSlots(
  context: Context,
  { slug }: Scheduler,
  eventType: EventType,
): Promise<BookingData['slots']> {
  const today = Math.floor(context.now() / DAY)
  const { year, month } = civilOf(today)
  const from = formatDate(today - 1)
  const to = formatDate(Date.UTC(year, month, 1) / DAY)
  const query = { dateFrom: from, dateTo: to, timezone: 'UTC' }
  const key = `page ${slug}/${eventType.slug} ${from}`
  const json = await context.slots.list(slug, eventType.slug, query, { key })
  return { from, to, days: JSON.parse(Buffer.from(json).toString('utf8')) as SlotDay[] }
}
