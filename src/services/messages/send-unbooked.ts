import type { EventType } from '../../domain/event-types/event-type.ts'
import type { FormField } from '../../domain/forms/routing.ts'
import type { Message } from '../../domain/messages/message.ts'
import { decideUnbooked } from '../../domain/messages/schedule.ts'
import { isEmail } from '../../domain/people/contact.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import type { User } from '../../domain/people/user.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import { tellIn } from '../../domain/tell.ts'
import { findEventTypeById, findHostSeats } from '../../store/event-types/event-types.ts'
import { findFormById, findResponse } from '../../store/forms/forms.ts'
import { findMessage } from '../../store/messages/messages.ts'
import { hasBookedSince } from '../../store/messages/records.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { brandOf } from '../mail/compose.ts'
import { shortName } from '../mail/reader.ts'
import { headerName, messageIdOf, sendMail } from '../mail/send.ts'
import type { AnnouncedResponse } from '../webhooks/announce-response.ts'
import { fillWords, writeOwn } from './compose.ts'
import type { MessageFacts } from './facts.ts'
import { type SendingJob, sendEach } from './once.ts'
import { UNSUBSCRIBED, unsubscribeHeaders, unsubscribeLink, wantsNoMail } from './unsubscribe.ts'

interface UnbookedJob {
  readonly messageId: string
  readonly responseId: string
  readonly dueAt: number
}

/** A visitor who answered a form, and the event type that it led them to. */
interface Visit extends AnnouncedResponse {
  readonly eventType: EventType
}

/** Sends a message to a visitor who has not booked, or to those whom they did not book. */
export async function sendUnbooked(
  context: Context,
  job: SendingJob,
  { messageId, responseId, dueAt }: UnbookedJob,
): Promise<void> {
  const [message, visit] = await Promise.all([
    findMessage(context.db, messageId),
    findVisit(context, responseId),
  ])
  if (message === undefined || visit === undefined) return
  const { response, form } = visit
  const verdict = decideUnbooked({
    message,
    formId: form.id,
    answeredAt: response.createdAt,
    hasBooked: await hasBooked(context, visit),
    dueAt,
    now: context.now(),
  })
  if (verdict.kind === 'dropped') return
  const people = message.to === 'hosts' ? await hostsOf(context, visit) : [undefined]
  const sendings = people.map((host) => ({
    message,
    key: {
      messageId,
      bookingId: null,
      responseId,
      recipient: host === undefined ? 'guest' : `hosts:${host.id}`,
      occasion: '',
    },
    send: async () => (verdict.kind === 'skip' ? verdict.reason : sendTo(context, message, visit, host)),
  }))
  await sendEach(context, job, sendings)
}

async function findVisit({ db }: Context, responseId: string): Promise<Visit | undefined> {
  const response = await findResponse(db, responseId)
  if (response?.result.action !== 'routeToEvent') return undefined
  const [form, eventType] = await Promise.all([
    findFormById(db, response.formId),
    findEventTypeById(db, response.result.eventTypeId),
  ])
  const scheduler = form && (await findScheduler(db, form.schedulerId))
  if (form === undefined || eventType === undefined || scheduler === undefined) return undefined
  return { response, form, scheduler, eventType }
}

/** Whether a booking came of the answers: with them, or by the same guest since. */
async function hasBooked(context: Context, visit: Visit): Promise<boolean> {
  const { response, scheduler } = visit
  if (response.bookingId !== null) return true
  const { guestEmail } = factsOf(context, visit)
  if (guestEmail === '') return false
  return hasBookedSince(context.db, scheduler.id, guestKey(guestEmail), response.createdAt)
}

async function hostsOf({ db }: Context, { eventType }: Visit): Promise<User[]> {
  const seats = await findHostSeats(db, eventType.id)
  const users = await Promise.all(seats.map(({ hostId }) => findUser(db, hostId)))
  return users.flatMap((user) => (user === undefined || user.email === '' ? [] : [user]))
}

/** Sends it to one person; returns why it was not sent, if so. */
async function sendTo(
  context: Context,
  message: Message,
  visit: Visit,
  host: User | undefined,
): Promise<Sentence | undefined> {
  const { scheduler, response } = visit
  const facts = factsOf(context, visit)
  const address = host?.email ?? facts.guestEmail
  if (address === '') return sentence`The answers have no email address.`
  const isGuest = host === undefined
  if (isGuest && (await wantsNoMail(context, scheduler.id, address))) return UNSUBSCRIBED
  const unsubscribe = isGuest ? unsubscribeLink(context, scheduler.id, address) : undefined
  const readership = {
    locale: host?.locale ?? '',
    ownersLocale: scheduler.locale,
    germanAddress: host?.germanAddress ?? scheduler.germanAddress,
  }
  const words = fillWords(message, readership, () => facts)
  const { texts, tag } = words.language
  const footer = isGuest
    ? tellIn(tag)(texts.footer.form, { scheduler: shortName(scheduler.name) })
    : texts.footer.host
  const brand = brandOf({ scheduler: { ...scheduler, ...scheduler.branding } }, { site: context.publicUrl })
  await sendMail(context, {
    ...writeOwn(words, { brand, footer, unsubscribe }),
    to: address,
    messageId: messageIdOf(context, response.id, host?.id ?? 'guest', `message:${message.id}`),
    fromName: headerName(scheduler.name),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && unsubscribeHeaders(unsubscribe)),
    },
  })
  return undefined
}

/** What is known of a visitor: their answers, in which a name and an address may be. */
function factsOf({ publicUrl }: Context, { response, form, scheduler, eventType }: Visit): MessageFacts {
  const { fields } = form
  const answerTo = (field: FormField | undefined) => {
    const answer = field && response.answers[field.id]
    return typeof answer === 'string' ? answer.trim() : ''
  }
  const email = fields.map(answerTo).find((answer, i) => fields[i]?.type === 'email' && isEmail(answer))
  const named = fields.find(
    ({ id, type, label }) => type === 'text' && /name|nom\b|nombre|nome|名/i.test(`${id} ${label}`),
  )
  const answers = Object.entries(response.answers).map(([id, answer]) => {
    const options = fields.find((field) => field.id === id)?.options ?? []
    const labelOf = (given: unknown) => options.find((one) => one.id === given)?.label ?? given
    return [id, Array.isArray(answer) ? answer.map(labelOf) : labelOf(answer)]
  })
  return {
    guestName: answerTo(named),
    guestEmail: email ?? '',
    hostName: shortName(scheduler.name),
    eventName: shortName(eventType.name),
    durationMinutes: eventType.durationMinutes,
    time: undefined,
    location: () => '',
    links: { book: `${publicUrl}/${scheduler.slug}/${eventType.slug}` },
    answers: Object.fromEntries(answers),
    reason: '',
  }
}
