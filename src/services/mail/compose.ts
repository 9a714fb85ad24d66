import { awaitsLink } from '../../domain/bookings/booking.ts'
import type { BookingChange } from '../../domain/bookings/change.ts'
import { answersTo, otherAnswers } from '../../domain/event-types/questions.ts'
import { type Block, plainText } from '../../domain/messages/markup.ts'
import { formatPrice } from '../../domain/payments/price.ts'
import { isWebAddress } from '../../domain/people/contact.ts'
import { imageIdOf } from '../../domain/people/image.ts'
import { tellIn } from '../../domain/tell.ts'
import { calendarLinks } from '../../format/calendar-links.ts'
import { mailtoOf } from '../../format/text/mailto.ts'
import { printableLine, printableProse, shortened, unlinked } from '../../format/text/printable.ts'
import type { MailTexts } from '../../texts/catalogue.ts'
import { type MailContent, type MailRow, writeHtml, writeText } from '../mail-layout.ts'
import { calendarEntry } from './calendar-entry.ts'
import { type FactRow, factRows, writtenAnswer } from './fact-rows.ts'
import type { MailKind, MailLanguage } from './languages.ts'
import { type MeetingTime, meetingTime, tagOfClock } from './meeting-time.ts'
import {
  awaitedPlace,
  isHost,
  locationFor,
  type MailLinks,
  type MailReader,
  namesIn,
  otherGuests,
  readersLanguage,
  shortName,
} from './reader.ts'

export interface ComposedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const DEFAULT_COLOUR = '#2563eb'
const LONGEST_VALUE = 5000

const CANCELLED: ReadonlySet<MailKind> = new Set([
  'cancelledByGuest',
  'cancelledByHost',
  'cancelledByService',
])

/** Kinds of mail about a meeting that does not take place. */
const OFF: ReadonlySet<MailKind> = new Set<MailKind>(['declined', 'expired']).union(CANCELLED)

const MONEY_MOVES: ReadonlySet<MailKind> = new Set<MailKind>(['confirmed', 'requested', 'approved']).union(
  OFF,
)

const REASSIGNED: ReadonlySet<MailKind> = new Set(['reassigned', 'requestReassigned'])

/** Kinds of mail that ask a host for an answer. */
const ASKING: ReadonlySet<MailKind> = new Set(['requested', 'moveRequested', 'requestReassigned'])

/** The kind of mail that a change causes. */
export function mailKindOf({ type, by, status }: Pick<BookingChange, 'type' | 'by' | 'status'>): MailKind {
  switch (type) {
    case 'created':
      return status === 'PendingApproval' ? 'requested' : 'confirmed'
    case 'approved':
      return 'approved'
    case 'updated':
      return 'linkAdded'
    case 'declined':
      return by === 'service' ? 'expired' : 'declined'
    case 'cancelled':
      return by === 'guest' ? 'cancelledByGuest' : by === 'host' ? 'cancelledByHost' : 'cancelledByService'
    case 'no_show':
    case 'completed':
    case 'paid':
    case 'refunded':
      throw new Error(`Nobody is mailed about ${type}.`)
    case 'rescheduled':
      if (status === 'PendingApproval') return 'moveRequested'
      return by === 'guest' ? 'movedByGuest' : 'movedByHost'
    case 'reassigned':
      return status === 'PendingApproval' ? 'requestReassigned' : 'reassigned'
  }
}

/** The host's own words for a mail: they stand in place of our subject and opening. */
export interface OwnWords {
  readonly subject: string
  readonly opening: readonly Block[]
}

/** A mail in the reader's language and time zone. */
export function composeBookingMail(
  change: BookingChange,
  reader: MailReader,
  links: MailLinks,
  { kind = mailKindOf(change), own }: { readonly kind?: MailKind; readonly own?: OwnWords | undefined } = {},
): ComposedMail {
  const language = readersLanguage(change, reader)
  const { texts, tag } = language
  const tell = tellIn(tag)
  const { words, off } = wordsFor(kind, reader, texts, change)
  // The mail is about the time that the guest left.
  const startsAt = isAboutBefore(reader, kind)
    ? (change.previousStartsAt ?? change.startsAt)
    : change.startsAt
  const when = timeFor(startsAt, change, reader, tag)
  const names = namesIn(change, reader, tag)
  const gaps = { ...names, when: when.short }
  const content: MailContent = {
    language: tag,
    brand: brandOf(change, links),
    heading: own?.subject ?? words.heading,
    lead: own === undefined ? tell(words.lead, gaps) : previewOf(own.opening),
    opening: own?.opening,
    ...rowsOf(change, reader, { ...language, names, off, kind, site: links.site }),
    whenLabel: texts.label.when,
    when,
    off,
    buttons: buttonsOf(kind, reader, links, texts),
    calendars: calendarsFor(change, reader, links, kind),
    footer: tell(
      texts.footer[reader.role === 'guest' || reader.role === 'addedGuest' ? reader.role : 'host'],
      gaps,
    ),
  }
  const subject = own?.subject ?? tell(words.subject, gaps)
  return { subject, text: writeText(content), html: writeHtml(content) }
}

const LONGEST_PREVIEW = 150

/** What mail programs show beside the subject. */
export const previewOf = (opening: readonly Block[]) =>
  shortened(printableLine(plainText(opening)), LONGEST_PREVIEW)

/** Links to web calendars, for a guest whose meeting has just been confirmed. */
function calendarsFor(
  change: BookingChange,
  reader: MailReader,
  links: MailLinks,
  kind: MailKind,
): MailContent['calendars'] {
  if (reader.role !== 'guest' || (kind !== 'confirmed' && kind !== 'approved')) return undefined
  const found = calendarLinks(calendarEntry(change, reader, links))
  const { texts } = readersLanguage(change, reader)
  return found.length === 0 ? undefined : { label: texts.label.addToCalendar, links: found }
}

/** The texts of a mail, and whether they say that the meeting does not take place. */
function wordsFor(kind: MailKind, reader: MailReader, texts: MailTexts, { hosts, booking }: BookingChange) {
  const isHandedOver = REASSIGNED.has(kind)
  if (reader.role === 'formerHost') {
    return { words: isHandedOver ? texts.handedOver : texts.formerHost, off: true }
  }
  const off = OFF.has(kind)
  if (reader.role === 'guest') return { words: texts.guest[kind], off }
  if (reader.role === 'addedGuest') {
    if (off || kind === 'moveRequested') return { words: texts.addedGuest.cancelled, off: true }
    if (isHandedOver) return { words: texts.addedGuest.reassigned, off }
    const isMoved = kind === 'movedByGuest' || kind === 'movedByHost'
    return { words: isMoved ? texts.addedGuest.moved : texts.addedGuest.invited, off }
  }
  if (isHandedOver && reader.host.id !== hosts[0]?.id) return { words: texts.coHost, off }
  const goesOn = reader.entry?.attended !== undefined
  if (goesOn && (CANCELLED.has(kind) || reader.role === 'stayingHost')) {
    return { words: texts.guestLeft, off: false }
  }
  if (kind === 'reminder' && awaitsLink(booking)) return { words: texts.linkMissing, off }
  return reader.role === 'stayingHost'
    ? { words: texts.lastGuestLeft, off: true }
    : { words: texts.host[kind], off }
}

/** Those whom a guest brings hear of a new time once it is approved: until then, the former one is cancelled. */
const isAboutBefore = ({ role }: MailReader, kind: MailKind) =>
  role === 'formerHost' || role === 'stayingHost' || (role === 'addedGuest' && kind === 'moveRequested')

function timeFor(startsAt: number, change: BookingChange, reader: MailReader, tag: string): MeetingTime {
  const timeZone = isHost(reader) ? reader.host.timeZone : change.booking.invitee.timeZone
  const clock = isHost(reader) ? tagOfClock(tag, reader.host.timeFormat) : tag
  return meetingTime(startsAt, startsAt + (change.endsAt - change.startsAt), timeZone, clock)
}

export function brandOf(
  { scheduler }: Pick<BookingChange, 'scheduler'>,
  { site }: Pick<MailLinks, 'site'>,
): MailContent['brand'] {
  const image = [scheduler.logoUrl, scheduler.avatarUrl].find((address) => imageIdOf(address) !== undefined)
  return {
    name: shortName(scheduler.name),
    colour: /^#[0-9a-f]{6}$/i.test(scheduler.primaryColor) ? scheduler.primaryColor : DEFAULT_COLOUR,
    imageUrl: image === undefined ? '' : site + image,
  }
}

interface Wording extends MailLanguage {
  readonly names: ReturnType<typeof namesIn>
  readonly off: boolean
  readonly kind: MailKind
  readonly site: string
}

/** The rows before and after the time. */
function rowsOf(
  change: BookingChange,
  reader: MailReader,
  wording: Wording,
): Pick<MailContent, 'above' | 'rows'> {
  const { texts, tag, names, off, kind } = wording
  const { booking, previousStartsAt, reason } = change
  const { label } = texts
  const rows: MailRow[] = []
  const add = (name: string, value: string, more: Partial<MailRow> = {}) => {
    const shown = shortened(printableProse(value), LONGEST_VALUE)
    if (shown !== '' || more.link) rows.push({ label: printableLine(name), value: shown, ...more })
  }
  if (previousStartsAt !== null && !isAboutBefore(reader, kind)) {
    const { date, time } = timeFor(previousStartsAt, change, reader, tag)
    add(label.previously, `${date}\n${time}`, { past: true })
  }
  // Anyone can book in another person's name: what they type must not become a link in that person's mail.
  const isTheirs = !isHost(reader) && change.by === 'guest'
  add(label.reason, isTheirs ? unlinked(reason) : reason)
  if (reader.role === 'guest') {
    add(label.dates, datesOf(change, reader, tag))
    add(label.payment, moneyOf(change, wording))
    return withFacts(change, wording, rows)
  }
  add(label.what, names.event)
  add(label.dates, datesOf(change, reader, tag))
  if (isHost(reader)) add(label.payment, moneyOf(change, wording))
  if (!off) {
    const { value, ...page } = placeOf(booking, reader, texts)
    add(label.where, value, page)
  }
  if (!isHost(reader)) {
    add(label.host, names.host)
    // Notes are for the host. A stranger's mail must not carry what anyone types.
    add(label.guest, names.guest)
    return { rows }
  }
  const { name, email, phone } = booking.invitee
  const others = otherGuests(reader)
  add(label.guest, others > 0 ? `${printableLine(name)} +${others}` : printableLine(name), {
    ...(email !== '' && { link: { text: email, href: mailtoOf(email) } }),
  })
  if (change.hosts.length > 1) add(label.host, names.host)
  add(label.guests, booking.guests.join('\n'))
  add(label.phone, phone)
  add(label.notes, booking.notes)
  const { questions } = change.eventType
  const answers = [answersTo, otherAnswers].flatMap((find) => find(questions, booking.customFields))
  for (const answer of answers) add(answer.label, writtenAnswer(answer, texts))
  return { rows }
}

/** What was paid, is reserved or goes back, in a mail about that: for all meetings that it tells of. */
function moneyOf(change: BookingChange, { texts, tag, off, kind }: Wording): string {
  const { booking, together = [], refund = 0 } = change
  const { payment } = booking
  if (payment === undefined || !MONEY_MOVES.has(kind)) return ''
  const { status, currency } = payment
  const write = (amount: number) => ({ price: formatPrice({ amount, currency }, tag) })
  const tell = tellIn(tag)
  const { money } = texts
  const all = write(payment.amount * Math.max(1, together.length))
  if (!off) return tell(money[status === 'paid' ? 'paid' : kind === 'approved' ? 'charged' : 'reserved'], all)
  if (status !== 'paid') return status === 'refunded' ? '' : money.released
  return refund === 0 ? money.kept : tell(money.refund, write(refund))
}

/** What a mail about a meeting that does not take place still says of it. */
const KEPT_WHEN_OFF: ReadonlySet<FactRow['fact']> = new Set(['what', 'who', 'when', 'notes'])

/** The facts for the guest, around the time and what the mail says of the change. */
function withFacts(
  change: BookingChange,
  { off, site, ...language }: Wording,
  rows: readonly MailRow[],
): Pick<MailContent, 'above' | 'rows'> {
  // Each meeting of a series has its own deadline.
  const isAboutMany = (change.together ?? []).length > 1
  const told = factRows(change, language, site, change.at).filter(({ fact }) =>
    off ? KEPT_WHEN_OFF.has(fact) : !(isAboutMany && fact === 'cancellation'),
  )
  const when = told.findIndex(({ fact }) => fact === 'when')
  return { above: told.slice(0, when), rows: [...rows, ...told.slice(when + 1)] }
}

/** The times of all meetings that the mail tells of, if they are several. */
function datesOf(change: BookingChange, reader: MailReader, tag: string): string {
  const { together = [], series = [] } = change
  return series
    .filter(({ id }) => together.includes(id))
    .map(({ startsAt }) => timeFor(startsAt, change, reader, tag))
    .map(({ date, time }) => `${date}, ${time}`)
    .join('\n')
}

/** The kind of location and its value, which is a link if it is a web address. */
function placeOf(
  booking: BookingChange['booking'],
  reader: MailReader,
  texts: MailTexts,
): Pick<MailRow, 'value' | 'link'> {
  const location = locationFor(booking, reader)
  const kind = texts.place[location.type]
  const place = printableLine(location.value)
  if (place === '') return { value: awaitsLink(booking) ? awaitedPlace(reader, texts) : kind }
  const isPage = (location.type === 'Video' || location.type === 'Link') && isWebAddress(place)
  return isPage ? { value: kind, link: { text: place, href: place } } : { value: `${kind}\n${place}` }
}

function buttonsOf(kind: MailKind, reader: MailReader, links: MailLinks, texts: MailTexts) {
  const { button } = texts
  if (reader.role === 'addedGuest') return []
  if (isHost(reader)) {
    const asks = reader.role === 'host' && ASKING.has(kind)
    const label = asks ? button.answer : button.open
    return [{ label, href: links.dashboard }]
  }
  return OFF.has(kind)
    ? [{ label: button.again, href: links.bookAgain }]
    : [{ label: button.manage, href: links.manage }]
}
