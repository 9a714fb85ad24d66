import { isUnspent, START_AGAIN } from '../../forms/route.ts'
import { guestKey } from '../../people/guest-key.ts'
import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import type { Ledger } from '../ledger.ts'
import { endOf } from '../private-link.ts'
import { findFullMailbox, findTooManyOpen, tooManyMails } from './caps.ts'
import { type Given, type Needs, needs, type Refused, refused } from './decision.ts'
import { isCurrent } from './hosts/placing.ts'
import { deadLink, wrongCode } from './refusals.ts'
import type { WantedBooking } from './wanted-booking.ts'

/** A rule of booking: what is in the way of this booking; undefined: nothing. */
type BookingRule = (ledger: Ledger, wanted: WantedBooking, given: Given) => Refused | Needs | undefined

const settingsAreCurrent: BookingRule = (ledger, { bookable }) =>
  isCurrent(bookable, ledger) ? undefined : needs({ what: 'settings' })

const linkIsUsable: BookingRule = ({ links }, { access: { link } }, { now }) => {
  if (link === undefined) return undefined
  const found = links.find(link.id)
  if (found === undefined) return refused(deadLink(undefined))
  const end = endOf(found, now)
  return end && refused(deadLink(end))
}

const responseIsUnspent: BookingRule = ({ responses }, { access: { routed } }, { now }) => {
  if (routed === undefined) return undefined
  const found = responses.find(routed.id)
  return found !== undefined && isUnspent(found, now) ? undefined : refused(startAgain())
}

export const startAgain = () => new Problem('start_again', START_AGAIN)

/** Wrong codes that are forgiven: a stranger could guess one in 200,000 times five tries. */
const MOST_TRIES = 5

const codeIsRight: BookingRule = ({ codes }, { bookable, proof }, { now }) => {
  if (proof === undefined) return undefined
  const code = codes.find(bookable.eventType.id, proof.address)
  const works = code !== undefined && code.tries < MOST_TRIES && now < code.expiresAt
  if (works && code.codeHash === proof.codeHash) return undefined
  if (proof.codeHash !== undefined) {
    // A wrong code is counted, so this refusal writes something.
    const left = works ? MOST_TRIES - code.tries - 1 : 0
    return refused(wrongCode(left), code && { failedCodes: [code] })
  }
  const reason = sentence`Please confirm your email address: request a code, and send it along (emailCode).`
  return refused(new Problem('email_unconfirmed', reason))
}

const mailboxesHaveRoom: BookingRule = (ledger, { author, requested, proof }, { now, found }) => {
  if (author.by !== 'guest') return undefined
  const { email } = requested.invitee
  // Who has just used a code has answered us.
  const exempt = new Set([...found.exempt.mails, ...(proof ? [guestKey(email)] : [])])
  const full = findFullMailbox(ledger, [email, ...requested.guests], author, { exempt, now })
  if (full === undefined) return undefined
  const otherwise = tooManyMails(full.email, full.retryAfter, full.isBrought)
  return needs({ what: 'exemption', cap: 'mails', email: full.email, otherwise })
}

const guestHasFewAhead: BookingRule = (ledger, { author, bookable, requested }, { now, found }) => {
  const { email } = requested.invitee
  if (author.by !== 'guest' || found.exempt.open.has(guestKey(email))) return undefined
  const otherwise = findTooManyOpen(ledger, bookable.eventType.id, guestKey(email), now)
  return otherwise && needs({ what: 'exemption', cap: 'open', email, otherwise })
}

/** What is checked before hosts are chosen. The first rule that is broken is the answer. */
export const BOOKING_RULES: readonly BookingRule[] = [
  settingsAreCurrent,
  linkIsUsable,
  responseIsUnspent,
  codeIsRight,
  mailboxesHaveRoom,
  guestHasFewAhead,
]
