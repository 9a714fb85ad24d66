import { DAY } from '../../../domain/interval.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findFailedMails } from '../../../store/outbox.ts'
import {
  findBrokenWebhooks,
  findFailingCalendars,
  findLostAccounts,
  findLostPaymentAccounts,
  findOldInvitations,
  findUpcomingGuests,
} from '../../../store/workspace/attention.ts'
import type { Context } from '../../context.ts'
import type { MailJobData } from '../../mail/jobs.ts'
import { type AttentionItem, type Audience, isFor, scopeOf, withReason } from './audience.ts'

/** An invitation that is still open after this long needs a reminder. */
const ANSWERED_WITHIN = 7 * DAY

/** Emails that are looked through, the newest first. */
const LOOKED_AT = 500

/** Other servers and people that don't answer: calendars, accounts, webhooks, mailboxes, those who were invited. */
export async function findOutsideTrouble(context: Context, audience: Audience): Promise<AttentionItem[]> {
  const { db } = context
  const now = context.now()
  const calendars = await findFailingCalendars(db, audience.users)
  const accounts = await findLostAccounts(db, audience.users)
  const paymentAccounts = await findLostPaymentAccounts(db, audience.owners)
  const webhooks = await findBrokenWebhooks(db, audience.owners)
  const since = { before: now - ANSWERED_WITHIN, now }
  const invitations = await findOldInvitations(db, audience.owners, audience.admin, since)
  return [
    ...accounts.map((account) => ({
      kind: 'connection-lost' as const,
      scope: 'me' as const,
      sentence: sentence`The access to ${account} has ended. Connect the account again.`,
      url: '/app/calendars',
      since: null,
    })),
    ...paymentAccounts.map(({ schedulerId, name }) => ({
      kind: 'connection-lost' as const,
      scope: scopeOf(audience, schedulerId),
      sentence: sentence`The access to ${name} has ended. Connect the account again.`,
      url: '/app/calendars',
      since: null,
    })),
    ...calendars.map(({ name, lastError, refreshedAt }) => ({
      kind: 'calendar-failing' as const,
      scope: 'me' as const,
      sentence: withReason(sentence`The calendar “${name}” could not be read.`, lastError),
      url: '/app/calendars',
      since: refreshedAt,
    })),
    ...(await findUnreachedGuests(context, audience)),
    ...webhooks.map(({ id, schedulerId, url, disabledReason, disabledAt, failingSince }) => ({
      kind: 'webhook-failing' as const,
      scope: scopeOf(audience, schedulerId),
      sentence:
        disabledAt === null
          ? sentence`The webhook to ${hostOf(url)} is failing.`
          : withReason(sentence`The webhook to ${hostOf(url)} was disabled.`, disabledReason),
      url: `/app/webhooks/${id}`,
      since: disabledAt ?? failingSince,
    })),
    ...invitations.map(({ email, team, createdAt }) => ({
      kind: 'invitation-unanswered' as const,
      scope: team === null ? ('instance' as const) : ('team' as const),
      sentence:
        team === null
          ? sentence`${email} hasn’t accepted the invitation.`
          : sentence`${email} hasn’t accepted the invitation to ${team.name}.`,
      url: team === null ? '/app/people' : `/app/teams/${team.id}`,
      since: createdAt,
    })),
  ]
}

/** Guests of upcoming bookings whose mail server refused an email: their hosts can reach them in another way. */
async function findUnreachedGuests(context: Context, audience: Audience): Promise<AttentionItem[]> {
  const { db } = context
  const mails = new Map(
    (await findFailedMails(db, LOOKED_AT)).flatMap((mail) => {
      const { change, recipient } = mail.data as MailJobData
      const isGuests = recipient.role === 'guest' || recipient.role === 'addedGuest'
      return isGuests && mail.nextAttemptAt === null ? [[change.bookingId, mail] as const] : []
    }),
  )
  const guests = await findUpcomingGuests(db, [...mails.keys()], context.now())
  return guests
    .filter(({ schedulerId, hostId }) => isFor(audience.owners, schedulerId) || isFor(audience.users, hostId))
    .flatMap(({ bookingId, name, schedulerId, hostId }) => {
      const mail = mails.get(bookingId)
      if (mail === undefined) return []
      return {
        kind: 'mail-failing' as const,
        scope: isFor(audience.users, hostId) ? ('me' as const) : scopeOf(audience, schedulerId),
        sentence: withReason(sentence`An email to ${name} could not be delivered.`, mail.error),
        url: `/app/bookings/${bookingId}`,
        since: mail.createdAt,
      }
    })
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
