import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { seriesZone } from '../../domain/bookings/decisions/hosts/choose-hosts.ts'
import { isInvited } from '../../domain/bookings/guest-access.ts'
import { askedDate, civilOf, type DayNumber, formatDate, parseDate } from '../../domain/calendar-date.ts'
import { offeredDurations } from '../../domain/event-types/durations.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { framersOf } from '../../domain/event-types/framing.ts'
import { publicEventType } from '../../domain/event-types/public-event-type.ts'
import { DAY } from '../../domain/interval.ts'
import { withShownImages } from '../../domain/people/image.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { localDay } from '../../domain/zone.ts'
import { writeDurations } from '../../format/duration.ts'
import { plainText } from '../../format/text/rich-text.ts'
import { findGermanAddress } from '../../services/bookings/guest/find-german-address.ts'
import { findManagedEventType } from '../../services/bookings/guest/find-managed-event-type.ts'
import {
  findEndedLink,
  findLinkedPath,
  listSlots,
  type OpenedEventType,
  openEventType,
} from '../../services/bookings/guest/open-event-type.ts'
import type { Context } from '../../services/context.ts'
import { findHostNames } from '../../services/event-types/find-host-names.ts'
import { findStandIns } from '../../services/event-types/find-stand-ins.ts'
import { countOpened } from '../../services/forms/count-visitors.ts'
import { findFormFramers } from '../../services/forms/find-framers.ts'
import { getForm } from '../../services/forms/get.ts'
import { asksForSms } from '../../services/messages/messages.ts'
import { findContact } from '../../services/people/find-contact.ts'
import { getProfile } from '../../services/people/get-profile.ts'
import { toFormView } from '../public/routing.ts'
import { tokensOf } from '../public/scheduling.ts'
import { toAbuseConfig } from '../public/views.ts'
import { paintBooking, paintEndedLink, paintForm, paintManage, paintProfile } from './first-paint.ts'
import { endedLinkWords, standInWords } from './notice.ts'
import type { LeadToBooking } from './old-links.ts'
import type { BookingData, CommonData, FormData, HostData, PreviewData, SlotDay } from './page-data.ts'
import { isEmbedded, type PageSender, PRIVATE, wantsPage } from './page-sender.ts'

// `/api` has its own routes; a slug has no dots, so `/demo/intro.md` is not a page.
const USER = ':userSlug(^(?!api$)[A-Za-z0-9-]+$)'
const EVENT = ':eventSlug(^[A-Za-z0-9-]+$)'
const FORM = ':formSlug(^[A-Za-z0-9-]+$)'

interface UserPath {
  readonly userSlug: string
}
type EventPath = UserPath & { readonly eventSlug: string }
type FormPath = UserPath & { readonly formSlug: string }

/** As long as our tokens, so that the pages of a user with this old slug stay where they are. */
const TOKEN = ':token(^[A-Za-z0-9_-]{43}$)'

const HIDDEN = { schema: { hide: true } }

/** The pages that guests see. */
export function guestPages(
  app: FastifyInstance,
  context: Context,
  pages: PageSender,
  lead: LeadToBooking,
): void {
  profileRoute(app, context, pages)
  bookingRoute(app, context, pages, lead)
  previewRoute(app, context, pages)
  linkRoute(app, context, pages)
  formRoute(app, context, pages)
  manageRoute(app, context, pages, lead)
}

/** A host’s profile with their event types. */
function profileRoute(app: FastifyInstance, context: Context, pages: PageSender): void {
  app.get<{ Params: UserPath }>(`/${USER}`, HIDDEN, async (request, reply) => {
    const { scheduler, eventTypes } = await getProfile(context, request.params.userSlug.toLowerCase())
    const path = `/${scheduler.slug}`
    if (scheduler.slug !== request.params.userSlug) return moved(request, reply, pages.base + path)
    const unbookable = await context.slots.findUnbookable(eventTypes)
    const listed = eventTypes.filter(({ id }) => !unbookable.has(id))
    const data = {
      ...(await withNumbers(context, pages.commonFor(request, scheduler, framersOf(eventTypes)), listed)),
      page: 'profile' as const,
      host: hostData(withShownImages(context.publicUrl, scheduler)),
      eventTypes: listed.map(publicEventType),
    }
    return pages.send(request, reply, {
      ...look(withShownImages(context.publicUrl, scheduler)),
      title: scheduler.name,
      siteName: scheduler.name,
      contact: await findContact(context, ownerOf(scheduler)),
      description: scheduler.bio || listed.map(({ name }) => name).join(' · '),
      canonical: context.publicUrl + path,
      headers: guideLink(context.publicUrl + path),
      data,
      body: paintProfile(data),
    })
  })
}

/** The booking page of an event type. */
function bookingRoute(app: FastifyInstance, context: Context, pages: PageSender, lead: LeadToBooking): void {
  app.get<{ Params: EventPath }>(`/${USER}/${EVENT}`, HIDDEN, async (request, reply) => {
    const { userSlug, eventSlug } = request.params
    const { rescheduleUid } = request.query as { readonly rescheduleUid?: unknown }
    const led =
      typeof rescheduleUid === 'string' ? await lead(request, reply, rescheduleUid, 'reschedule') : undefined
    if (led !== undefined) return led
    const tokens = tokensOf(request.query)
    const ended = await sendEndedLink({ request, reply }, context, pages, tokens.link)
    if (ended !== undefined) return ended
    const event = await openEventType(context, userSlug.toLowerCase(), eventSlug.toLowerCase(), tokens)
    const invited = isInvited(event.access)
    const { scheduler, eventType, hosts } = event.bookable
    const path = `/${scheduler.slug}/${eventType.slug}`
    if (path !== `/${userSlug}/${eventSlug}`) return moved(request, reply, pages.base + path)
    const { captchaProvider, captchaSiteKey } = toAbuseConfig(context, 'scheduling', scheduler, eventType)
    const duration = askedDuration(request, eventType)
    const { opensOn, slots } = await firstSlots(context, event, duration)
    const common = await withNumbers(context, pages.commonFor(request, scheduler, framersOf([eventType])), [
      eventType,
    ])
    const data: BookingData = {
      ...common,
      page: 'booking',
      host: hostData(withShownImages(context.publicUrl, scheduler)),
      eventType: {
        ...publicEventType(eventType),
        questions: eventType.questions,
        series: eventType.series && {
          ...eventType.series,
          timeZone: seriesZone(event.bookable, context.slots.zones).id,
        },
        cancelNoticeMinutes: eventType.cancelNoticeMinutes,
        rescheduleNoticeMinutes: eventType.rescheduleNoticeMinutes,
        sms: await asksForSms(context, eventType),
        returnUrl: eventType.returnUrl,
        refund: eventType.price?.refund ?? null,
      },
      members: {
        names: scheduler.kind === 'team' ? await findHostNames(context, shownHosts(hosts)) : [],
        all: eventType.assignment === 'collective',
      },
      standIns: standInWords(common.locale, scheduler, await findStandIns(context, event.bookable)),
      honeypot: eventType.abuse.honeypot,
      holds: eventType.holds,
      confirmEmail: eventType.confirmEmail,
      captcha: { provider: captchaProvider, siteKey: captchaSiteKey },
      duration,
      ...(invited && { access: { tokens, answers: event.access.link?.answers ?? {} } }),
      ...(opensOn !== undefined && { opensOn }),
      slots,
    }
    return pages.send(request, reply, {
      ...look(withShownImages(context.publicUrl, scheduler)),
      title: `${eventType.name} · ${scheduler.name}`,
      siteName: scheduler.name,
      contact: await findContact(context, hosts.find(({ disabled }) => !disabled)?.hostId),
      description: [
        writeDurations(data.locale.tag, offeredDurations(eventType)),
        scheduler.name,
        plainText(eventType.description),
      ]
        .filter((part) => part !== '')
        .join(' · '),
      canonical: context.publicUrl + path,
      headers: invited ? PRIVATE : guideLink(context.publicUrl + path),
      // A hidden event type can be booked by its link, but search engines must not list it.
      noindex: eventType.hidden || invited,
      captcha: captchaProvider,
      data,
      body: paintBooking(data, shownMonth(context, request, scheduler, opensOn)),
    })
  })
}

/** The booking page without an event type, which only our dashboard may frame: it sends the unsaved settings. */
function previewRoute(app: FastifyInstance, context: Context, pages: PageSender): void {
  app.get<{ Params: UserPath }>(`/app/preview/${USER}`, HIDDEN, async (request, reply) => {
    const { scheduler } = await getProfile(context, request.params.userSlug.toLowerCase())
    const shown = withShownImages(context.publicUrl, scheduler)
    const data: PreviewData = {
      ...pages.commonFor(request, scheduler, []),
      page: 'preview',
      host: hostData(shown),
      embed: false,
    }
    return pages.send(request, reply, {
      ...look(shown),
      title: scheduler.name,
      description: '',
      noindex: true,
      framers: [],
      headers: PRIVATE,
      data,
      body: paintManage(pages.base, data.locale),
    })
  })
}

/** A private link leads to the booking page of its event type. */
function linkRoute(app: FastifyInstance, context: Context, pages: PageSender): void {
  app.get<{ Params: { token: string } }>(`/l/${TOKEN}`, HIDDEN, async (request, reply) => {
    const { token } = request.params
    const ended = await sendEndedLink({ request, reply }, context, pages, token)
    if (ended !== undefined) return ended
    const path = await findLinkedPath(context, token)
    const query = new URLSearchParams(request.query as Record<string, string>)
    query.set('link', token)
    return reply.headers(PRIVATE).redirect(`${pages.base}${path}?${query}`, 302)
  })
}

interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Sends the page of a private link that no longer works; undefined if there is nothing to say about one. */
async function sendEndedLink(
  { request, reply }: Visit,
  context: Context,
  pages: PageSender,
  token: string | undefined,
): Promise<FastifyReply | undefined> {
  const found = token !== undefined && wantsPage(request) ? await findEndedLink(context, token) : undefined
  if (token === undefined || found === undefined) return undefined
  const { end, eventType } = found
  const scheduler = withShownImages(context.publicUrl, found.scheduler)
  const common = pages.commonFor(request, scheduler, framersOf([eventType]))
  const data = {
    ...common,
    page: 'ended-link' as const,
    host: hostData(scheduler),
    token,
    ...endedLinkWords(common.locale, end, scheduler.name),
  }
  return pages.send(request, reply.code(404), {
    ...look(scheduler),
    title: `${eventType.name} · ${scheduler.name}`,
    description: '',
    noindex: true,
    headers: PRIVATE,
    data,
    body: paintEndedLink(data),
  })
}

/** A routing form. */
function formRoute(app: FastifyInstance, context: Context, pages: PageSender): void {
  app.get<{ Params: FormPath }>(`/${USER}/forms/${FORM}`, HIDDEN, async (request, reply) => {
    const { userSlug, formSlug } = request.params
    const published = await getForm(context, userSlug.toLowerCase(), formSlug.toLowerCase())
    const { form, scheduler } = published
    const path = `/${scheduler.slug}/forms/${form.slug}`
    if (path !== `/${userSlug}/forms/${formSlug}`) return moved(request, reply, pages.base + path)
    if (request.method === 'GET') countOpened(context, published)
    const { captchaProvider, captchaSiteKey } = toAbuseConfig(context, 'routing', scheduler, form)
    const data: FormData = {
      ...pages.commonFor(request, scheduler, await findFormFramers(context, form)),
      page: 'forms',
      host: hostData(withShownImages(context.publicUrl, scheduler)),
      form: toFormView(published),
      honeypot: form.abuse.honeypot,
      captcha: { provider: captchaProvider, siteKey: captchaSiteKey },
    }
    return pages.send(request, reply, {
      ...look(withShownImages(context.publicUrl, scheduler)),
      title: `${form.name} · ${scheduler.name}`,
      siteName: scheduler.name,
      contact: await findContact(context, ownerOf(scheduler)),
      description: plainText(form.description ?? ''),
      canonical: context.publicUrl + path,
      captcha: captchaProvider,
      data,
      body: paintForm(data),
    })
  })
}

/** The page where a guest reschedules or cancels a booking. */
function manageRoute(app: FastifyInstance, context: Context, pages: PageSender, lead: LeadToBooking): void {
  app.get<{ Params: { bookingId: string } }>('/booking/:bookingId', HIDDEN, async (request, reply) => {
    const { bookingId } = request.params
    const { token } = request.query as { readonly token?: unknown }
    // Our own links have a token; one without may be from where the booking was made.
    const led = token === undefined ? await lead(request, reply, bookingId) : undefined
    if (led !== undefined) return led
    const eventType = isEmbedded(request) ? await findManagedEventType(context, bookingId, token) : undefined
    const locale = pages.localeFor(request, 'en')
    // Only German asks, so other languages pay for no query.
    const germanAddress =
      locale.language === 'de' ? await findGermanAddress(context, bookingId, token) : undefined
    const common: CommonData = {
      locale,
      ...(germanAddress === 'du' && { germanAddress }),
      base: pages.base,
      embed: eventType !== undefined && pages.embeddingFor(request, framersOf([eventType])),
    }
    return pages.send(request, reply, {
      title: 'Punctual',
      description: '',
      noindex: true,
      theme: 'auto',
      primaryColor: '',
      data: {
        ...(await withNumbers(context, common, eventType === undefined ? [] : [eventType])),
        page: 'manage',
        bookingId,
      },
      body: paintManage(pages.base, locale),
      // The URL holds a token, and the page shows personal data.
      headers: PRIVATE,
    })
  })
}

/** Adds the numbers by which Cal.com's script names event types, for a site that has it. */
async function withNumbers(
  { numbers }: Context,
  common: CommonData,
  eventTypes: readonly Pick<EventType, 'id' | 'slug'>[],
): Promise<CommonData> {
  if (common.embed === false || common.embed.calcom === undefined) return common
  const ids = eventTypes.map(({ id }) => id)
  const found = await numbers.ofAll('event-type', ids)
  const calcom = Object.fromEntries(eventTypes.map(({ id, slug }) => [slug, found.get(id) as number]))
  return { ...common, embed: { ...common.embed, calcom } }
}

/** Tells programs where the Markdown guide to this page is. */
const guideLink = (url: string) => ({ link: `<${url}.md>; rel="alternate"; type="text/markdown"` })

/** Redirects an old slug, or one in capitals, so that the address bar shows the present one. */
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

/** A team has no mailbox of its own. */
const ownerOf = ({ id, kind }: Scheduler) => (kind === 'user' ? id : undefined)

function hostData({ slug, kind, name, bio, avatarUrl, timeZone, branding }: Scheduler): HostData {
  return { slug, kind, name, bio, avatarUrl, timeZone, branding }
}

/** The length that the link asks for, if it is offered, or the default. */
function askedDuration({ query }: FastifyRequest, eventType: EventType): number {
  const asked = Number((query as { readonly duration?: unknown }).duration)
  return offeredDurations(eventType).find((minutes) => minutes === asked) ?? eventType.durationMinutes
}

const MOST_NAMES = 8

/** The hosts whose names are shown: a longer list would tell a guest nothing. */
function shownHosts(
  hosts: readonly { readonly hostId: string; readonly disabled: boolean }[],
): readonly string[] {
  return hosts.length > MOST_NAMES ? [] : hosts.filter((host) => !host.disabled).map(({ hostId }) => hostId)
}

/** The month that the link asks for, or the first with times, or the present one. */
function shownMonth(
  { now, slots }: Context,
  { query }: FastifyRequest,
  { timeZone }: Scheduler,
  opensOn: string | undefined,
) {
  const zone = slots.zones.get(timeZone)
  const asked = askedDate(query as Record<string, unknown>) ?? opensOn
  const present = now()
  const shownAt = Math.max(present, asked === undefined ? 0 : Date.parse(`${asked}T12:00Z`))
  return { today: localDay(zone, present), shown: localDay(zone, shownAt) }
}

const SEARCHED_AT_ONCE = 92
const SEARCHES = 4

/** The rest of this month, or the first month with times, with a day on either side: it covers every time zone. */
async function firstSlots(
  context: Context,
  event: OpenedEventType,
  duration: number,
): Promise<Pick<BookingData, 'opensOn' | 'slots'>> {
  const { scheduler, eventType } = event.bookable
  const list = async (first: DayNumber, last: DayNumber) => {
    const [from, to] = [formatDate(first), formatDate(last)]
    const query = { dateFrom: from, dateTo: to, timezone: 'UTC', duration: String(duration) }
    const key = `page ${scheduler.slug}/${eventType.slug} ${from} ${to} ${duration}`
    const json = await listSlots(context, event, query, key)
    return { from, to, days: JSON.parse(Buffer.from(json).toString('utf8')) as SlotDay[] }
  }
  const today = Math.floor(context.now() / DAY)
  const slots = await list(today - 1, monthAfter(today))
  if (slots.days.length > 0) return { slots }
  for (let search = 0; search < SEARCHES; search++) {
    const from = monthAfter(today) + 1 + search * SEARCHED_AT_ONCE
    const [found] = (await list(from, from + SEARCHED_AT_ONCE - 1)).days
    if (found === undefined) continue
    const day = parseDate(found.date) as DayNumber
    const first = day - civilOf(day).dayOfMonth + 1
    return { opensOn: found.date, slots: await list(first - 1, monthAfter(day)) }
  }
  return { slots }
}

/** The first day of the month after that of a day. */
function monthAfter(day: DayNumber): DayNumber {
  const { year, month } = civilOf(day)
  return Date.UTC(year, month, 1) / DAY
}
