import type { BookedMeeting, BookingChange } from '../../domain/bookings/change.ts'
import { chooseLocale, type Language } from '../../domain/languages.ts'
import { findHoles, type MessageContent } from '../../domain/messages/message.ts'
import type { Moment, Recipient } from '../../domain/messages/moments.ts'
import { segmentsOf } from '../../domain/messages/sms.ts'
import { positionOf } from '../../domain/messages/template.ts'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, say, sentence } from '../../domain/sentence.ts'
import { translationTo } from '../../format/refusals/translations.ts'
import { html } from '../../format/text/html.ts'
import { findMeeting } from '../../store/bookings/meetings.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import { createRateLimit } from '../../store/rate-limits.ts'
import { bookedMeetingOf } from '../bookings/load-change.ts'
import { getBooking } from '../bookings/reports/list.ts'
import type { Context } from '../context.ts'
import { type ComposedMail, composeBookingMail } from '../mail/compose.ts'
import type { MailKind } from '../mail/languages.ts'
import { linksOf } from '../mail/links.ts'
import type { MailReader } from '../mail/reader.ts'
import { sendMail } from '../mail/send.ts'
import { getId, notFound, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { composeOwnMail, phoneText, wordsFor } from './compose.ts'
import { exampleMeeting } from './example.ts'
import { checkContent, getOwnMessage } from './messages.ts'
import { changeFrom, readersOf } from './send.ts'
import { unsubscribeLink } from './unsubscribe.ts'

/** How a message reads. */
export interface Preview extends ComposedMail {
  /** Null: it is no message for phones. */
  readonly sms: { readonly text: string; readonly segments: number } | null
  /** Values that may be empty, and leave a hole in the text. */
  readonly warnings: readonly Warning[]
}

interface Warning {
  /** The text that it is about, such as `texts.en.body`. */
  readonly field: string
  readonly name: string
  readonly line: number
  readonly column: number
}

interface PreviewOf {
  readonly content: MessageContent
  readonly bookingId?: string | undefined
  readonly language?: Language | undefined
}

/** Shows how a message reads, saved or not: with a real booking, or with an example. */
export async function previewMessage(
  context: Context,
  principal: Principal,
  ownerId: string,
  { content, bookingId, language }: PreviewOf,
): Promise<Preview> {
  await requireRole(context.db, principal, getId(ownerId), 'member')
  await checkContent(context, context.db, ownerId, content).catch((error) => {
    // The message is a part of what was sent.
    if (!(error instanceof Problem) || error.field === undefined) throw error
    const { code, sentence } = error
    throw new Problem(code, sentence, { field: `message.${error.field}`, cause: error })
  })
  const meeting =
    bookingId === undefined
      ? await exampleFor(context, principal, ownerId, { content, language })
      : await getMeeting(context, principal, bookingId)
  return { ...compose(context, content, spoken(meeting, language)), warnings: warningsOf(content) }
}

async function exampleFor(
  { db, now }: Context,
  principal: Principal,
  ownerId: string,
  { content, language }: PreviewOf,
): Promise<BookedMeeting> {
  const [owner, viewer] = await Promise.all([findScheduler(db, ownerId), findUser(db, principal.userId)])
  if (owner === undefined || viewer === undefined) throw notFound()
  const [eventTypeId] = content.eventTypeIds
  return exampleMeeting(db, { owner, viewer, eventTypeId, language, now: now() })
}

async function getMeeting(context: Context, principal: Principal, id: string): Promise<BookedMeeting> {
  const { booking } = await getBooking(context, principal, id)
  const found = await findMeeting(context.db, booking.id)
  if (found === undefined) throw notFound()
  return bookedMeetingOf(found)
}

/** The meeting with readers of this language. */
function spoken(meeting: BookedMeeting, language: Language | undefined): BookedMeeting {
  if (language === undefined) return meeting
  const { booking, hosts } = meeting
  return {
    ...meeting,
    booking: { ...booking, invitee: { ...booking.invitee, locale: language } },
    hosts: hosts.map((host) => ({ ...host, locale: language })),
  }
}

/** The service's own mail of each moment that has one. */
const KINDS: Readonly<Partial<Record<Moment, MailKind>>> = {
  booked: 'confirmed',
  requested: 'requested',
  approved: 'approved',
  declined: 'declined',
  cancelled: 'cancelledByHost',
  rescheduled: 'movedByHost',
  before: 'reminder',
}

const STATUSES: Readonly<Partial<Record<Moment, BookingChange['status']>>> = {
  requested: 'PendingApproval',
  declined: 'Declined',
  cancelled: 'Cancelled',
}

/** The mail of the service that people get at a moment. */
export function standardMail(
  context: Context,
  meeting: BookedMeeting,
  on: Moment,
  to: Recipient,
): ComposedMail | undefined {
  const [reader, kind] = [readerOf(meeting, to), KINDS[on]]
  if (kind === undefined) return undefined
  return composeBookingMail(changeAt(meeting, on), reader, linksOf(context, meeting), { kind })
}

function changeAt(meeting: BookedMeeting, on: Moment): BookingChange {
  const status = STATUSES[on] ?? 'Confirmed'
  return changeFrom({ ...meeting, booking: { ...meeting.booking, status } }, { status })
}

function readerOf(meeting: BookedMeeting, to: Recipient): MailReader {
  return readersOf(to, meeting).find(([, reader]) => reader !== undefined)?.[1] ?? { role: 'guest' }
}

/** A message as it reads for the first of its recipients. */
export function compose(
  context: Context,
  message: MessageContent,
  meeting: BookedMeeting,
): Omit<Preview, 'warnings'> {
  const links = linksOf(context, meeting)
  const reader = readerOf(meeting, message.to)
  const words = wordsFor(message, changeAt(meeting, message.on), reader, links)
  if (message.by === 'sms') {
    const text = phoneText(words)
    return { subject: '', text, html: '', sms: { text, segments: segmentsOf(text) } }
  }
  const kind = KINDS[message.on]
  if (message.replaces && kind !== undefined) {
    const change = changeAt(meeting, message.on)
    return { ...composeBookingMail(change, reader, links, { kind, own: words }), sms: null }
  }
  const isFollowUp = (message.on === 'after' || message.on === 'unbooked') && message.to !== 'hosts'
  const unsubscribe = isFollowUp
    ? unsubscribeLink(context, meeting.scheduler.id, 'example@example.com')
    : undefined
  return { ...composeOwnMail(words, meeting, reader, { site: links.site, unsubscribe }), sms: null }
}

function warningsOf({ texts }: MessageContent): Warning[] {
  return Object.entries(texts).flatMap(([language, { subject, body }]) =>
    Object.entries({ subject, body }).flatMap(([part, source]) =>
      findHoles(source).map(({ at, name }) => ({
        field: `texts.${language}.${part}`,
        name,
        ...positionOf(source, at),
      })),
    ),
  )
}

/** How often an hour a user may have messages sent to themselves. */
export const testLimit = ({ db }: Context) => createRateLimit(db, 'message-tests', 20, 3600)

/** Said of a test of a text message, in the answer and in the email. */
const NOT_TEXTED = sentence`This is a text message. We’ve emailed you its text, because nobody is texted without their consent.`

/**
 * Emails a message to the user who asks, as an example. A text for phones comes as an email, too; what it returns then
 * says so.
 */
export async function testMessage(
  context: Context,
  principal: Principal,
  id: string,
): Promise<Sentence | undefined> {
  const message = await getOwnMessage(context.db, principal, id)
  const user = await findUser(context.db, principal.userId)
  if (user === undefined) throw notFound()
  if (user.email === '') throw new Problem('invalid', sentence`You have no email address.`)
  const meeting = await exampleFor(context, principal, message.schedulerId, { content: message })
  const composed = compose(context, message, spoken(meeting, undefined))
  const note = composed.sms === null ? undefined : NOT_TEXTED
  const { language } = chooseLocale(user.locale, undefined, 'en')
  const text =
    note === undefined ? composed.text : `${say(note, translationTo(language))}\n\n${composed.text}`
  await sendMail(context, {
    to: user.email,
    subject: composed.subject || message.name,
    text,
    html: composed.html || asHtml(text),
  })
  return note
}

const asHtml = (text: string) => html`<p style="white-space:pre-wrap">${text}</p>`.html
