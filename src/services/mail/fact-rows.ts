import type { BookedMeeting } from '../../domain/bookings/change.ts'
import { type GuestFact, guestFacts, toldBooking } from '../../domain/bookings/guest-facts.ts'
import { tellIn } from '../../domain/tell.ts'
import { initialsOf } from '../../format/initials.ts'
import { printableLine, printableProse, shortened, unlinked } from '../../format/text/printable.ts'
import type { MailTexts } from '../../texts/catalogue.ts'
import type { MailRow } from '../mail-layout.ts'
import type { MailLanguage } from './languages.ts'
import { meetingTime, shortMoment } from './meeting-time.ts'
import { namesIn } from './reader.ts'

const LONGEST_VALUE = 5000
const GUEST = { role: 'guest' } as const

/** A fact as a row of an email or a line in a calendar. */
export interface FactRow extends MailRow {
  readonly fact: GuestFact['name']
}

/** What the guest wants to know about a meeting, in their language and time zone. */
export function factRows(
  meeting: BookedMeeting,
  { texts, tag }: MailLanguage,
  site: string,
  now: number,
): FactRow[] {
  const { booking, scheduler } = meeting
  const { timeZone } = booking.invitee
  const names = namesIn(meeting, GUEST, tag)
  const rowOf = (fact: GuestFact): MailRow => {
    const { label } = texts
    switch (fact.name) {
      case 'what':
        return { label: label.what, value: names.event }
      case 'who':
        // The head of an email already shows a host who is not one of a team.
        return { label: label.host, value: names.host, ...(scheduler.kind === 'team' && picturesOf(fact)) }
      case 'when': {
        const { date, time, zone } = meetingTime(fact.startsAt, fact.endsAt, timeZone, tag)
        return { label: label.when, value: `${date}\n${time}\n${zone}` }
      }
      case 'where':
        return { label: label.where, ...placeOf(fact.place, texts) }
      case 'guests':
        return { label: label.guests, value: fact.emails.map(shownEmail).join('\n') }
      case 'answer':
        return { label: printableLine(fact.label), value: typed(writtenAnswer(fact, texts)) }
      case 'notes':
        return { label: label.notes, value: typed(fact.notes) }
      case 'cancellation': {
        const time = shortMoment(fact.until, timeZone, tag)
        return { label: label.cancellation, value: tellIn(tag)(texts.cancelUntil, { time }) }
      }
    }
  }
  return guestFacts(toldBooking(meeting, site), now)
    .map((fact) => ({ fact: fact.name, ...rowOf(fact) }))
    .filter(({ fact, value }) => value !== '' || !TYPED.has(fact))
}

/** What guests type may turn out to be nothing that can be printed. */
const TYPED: ReadonlySet<GuestFact['name']> = new Set(['answer', 'notes'])

/** Anyone can book in another person's name: what they type must not become a link in that person's mail. */
const typed = (text: string) => shortened(unlinked(printableProse(text)), LONGEST_VALUE)

/** An address leads to no page, unless there is a path in it. */
const shownEmail = (email: string) => (email.includes('/') ? unlinked(email) : printableLine(email))

const picturesOf = ({ hosts }: Extract<GuestFact, { readonly name: 'who' }>) => ({
  pictures: hosts.map(({ name, avatarUrl }) => ({ url: avatarUrl, initials: initialsOf(name) })),
})

export const writtenAnswer = (
  { value, isTick }: { readonly value: string; readonly isTick: boolean },
  { answer }: MailTexts,
): string => (isTick ? answer[value === 'true' ? 'yes' : 'no'] : value)

function placeOf(
  { type, value, access }: Extract<GuestFact, { readonly name: 'where' }>['place'],
  texts: MailTexts,
): Pick<MailRow, 'value' | 'link'> {
  const kind = texts.place[type]
  const place = printableLine(value)
  switch (access) {
    case 'join':
      return { value: kind, link: { text: `${texts.button.join}: ${place}`, href: place } }
    case 'follows':
      return { value: texts.linkFollows }
    case 'called':
      // A guest must not take their own number for the one to call.
      return { value: `${texts.hostCalls}\n${place}` }
    case 'told':
      return { value: place === '' ? kind : `${kind}\n${place}` }
  }
}
