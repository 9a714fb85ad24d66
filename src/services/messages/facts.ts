import { shownLocation } from '../../domain/bookings/booking.ts'
import type { BookedMeeting } from '../../domain/bookings/change.ts'
import { writeAnswer } from '../../domain/event-types/questions.ts'
import { MINUTE } from '../../domain/interval.ts'
import type { Fill, Filled, Filter } from '../../domain/messages/template.ts'
import { isWebAddress } from '../../domain/people/contact.ts'
import type { TimeFormat } from '../../domain/people/user.ts'
import { writeDuration } from '../../format/duration.ts'
import { printableLine, shortened, unlinked } from '../../format/text/printable.ts'
import type { MailLanguage } from '../mail/languages.ts'
import { momentText, tagOfClock } from '../mail/meeting-time.ts'
import { isCalled, isHost, locationFor, type MailLinks, type MailReader, namesIn } from '../mail/reader.ts'

/** What the names in a message stand for. */
export interface MessageFacts {
  readonly guestName: string
  readonly guestEmail: string
  readonly hostName: string
  readonly eventName: string
  readonly durationMinutes: number
  /** Undefined where there is no booking. */
  readonly time:
    | {
        readonly startsAt: number
        readonly endsAt: number
        readonly timeZone: string
        readonly timeFormat: TimeFormat | undefined
      }
    | undefined
  /** In words; the kind of location has none of its own in some languages. */
  readonly location: (language: MailLanguage) => string
  readonly links: Readonly<Partial<Record<string, string>>>
  readonly answers: Readonly<Record<string, unknown>>
  readonly reason: string
}

/** What the names stand for in a message to this reader about a meeting. */
export function factsOf(
  meeting: BookedMeeting,
  reader: MailReader,
  links: MailLinks,
  tag: string,
): MessageFacts {
  const { booking, eventType } = meeting
  const { host, event } = namesIn(meeting, reader, tag)
  const { type, value } = shownLocation(booking)
  const isOnline = type === 'Video' || type === 'Link'
  // With the guest's page, those whom they bring could cancel the meeting.
  const page = isHost(reader) ? links.dashboard : reader.role === 'guest' ? links.manage : ''
  return {
    guestName: booking.invitee.name,
    guestEmail: booking.invitee.email,
    hostName: host,
    eventName: event,
    durationMinutes: (booking.endsAt - booking.startsAt) / MINUTE || eventType.durationMinutes,
    time: {
      startsAt: booking.startsAt,
      endsAt: booking.endsAt,
      timeZone: isHost(reader) ? reader.host.timeZone : booking.invitee.timeZone,
      timeFormat: isHost(reader) ? reader.host.timeFormat : undefined,
    },
    location: ({ texts }) => {
      const place = locationFor(booking, reader)
      if (isCalled(booking) && reader.role === 'guest') return texts.hostCalls
      return isOnline || place.value === '' ? texts.place[place.type] : place.value
    },
    links: {
      join: isOnline && isWebAddress(value) ? value : '',
      reschedule: page,
      cancel: page,
      book: links.bookAgain,
    },
    answers: booking.customFields,
    reason: booking.reason,
  }
}

const LONGEST_VALUE = 500

/**
 * Values as text: on one line, and with addresses broken that mail programs would make links of. Anyone can book in
 * another person's name.
 */
const textOf = (value: string): Filled => ({
  text: unlinked(shortened(printableLine(value), LONGEST_VALUE)),
  url: '',
})

/** Fills names with these facts, in a language. */
export function fillWith(facts: MessageFacts, language: MailLanguage): Fill {
  const { time } = facts
  const instant = (at: number | undefined, filter: Filter | undefined): Filled =>
    time === undefined || at === undefined
      ? NONE
      : { text: momentText(at, time.timeZone, tagOfClock(language.tag, time.timeFormat), filter), url: '' }
  return (name, filter) => {
    const [group = '', key = ''] = splitName(name)
    if (group === 'answers') return textOf(answerOf(facts.answers, key))
    if (group === 'link') {
      const url = facts.links[key] ?? ''
      return { text: url, url }
    }
    switch (name) {
      case 'guest.name':
        return textOf(facts.guestName)
      case 'guest.firstName':
        return textOf(printableLine(facts.guestName).split(/\s+/)[0] ?? '')
      case 'guest.email':
        // It has been checked to be an address, and can lead nowhere else.
        return { text: shortened(printableLine(facts.guestEmail), LONGEST_VALUE), url: '' }
      case 'host.name':
        return textOf(facts.hostName)
      case 'event.name':
        return textOf(facts.eventName)
      case 'start':
        return instant(time?.startsAt, filter)
      case 'end':
        return instant(time?.endsAt, filter)
      case 'duration':
        return textOf(writeDuration(language.tag, facts.durationMinutes))
      case 'location':
        return textOf(facts.location(language))
      case 'reason':
        return textOf(facts.reason)
      default:
        return NONE
    }
  }
}

const NONE: Filled = { text: '', url: '' }

/** A name and what follows its first dot, which may have dots of its own. */
function splitName(name: string): [string, string] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
}

/** A box that is not ticked is no answer. */
function answerOf(answers: MessageFacts['answers'], key: string): string {
  const answer = Object.hasOwn(answers, key) ? answers[key] : undefined
  if (answer === undefined || answer === null || answer === false) return ''
  if (answer === true) return '✓'
  return writeAnswer(answer)
}
