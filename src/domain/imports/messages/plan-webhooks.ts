import { isWebAddress } from '../../people/contact.ts'
import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { checkWebhook, type WebhookEvent } from '../../webhooks/webhook.ts'
import { type Draft, keyOf } from '../draft.ts'
import { isOrganization } from '../people/plan-people.ts'
import type { PlannedWebhook } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import { idIn, isNo, lineOf, listOfAny, textIn, valueIn } from '../values.ts'
import { EVENT_TYPE_STAYS, OWNER_STAYS } from '../words.ts'

/** What we tell of each event there: a booking that waits for approval is made, and later approved. */
const EVENTS: Readonly<Record<string, readonly WebhookEvent[]>> = {
  BOOKING_CREATED: ['booking.created', 'booking.approved'],
  BOOKING_REQUESTED: ['booking.created'],
  BOOKING_RESCHEDULED: ['booking.rescheduled'],
  BOOKING_CANCELLED: ['booking.cancelled'],
  BOOKING_REJECTED: ['booking.declined'],
  BOOKING_NO_SHOW_UPDATED: ['booking.no_show'],
  MEETING_ENDED: ['booking.completed'],
  FORM_SUBMITTED: ['form.submitted'],
}

const MOST_WEBHOOKS = 50
const LONGEST_SECRET = 500

export function planWebhooks(draft: Draft): void {
  const organizations = new Set(
    draft
      .rows('Team')
      .filter(isOrganization)
      .map((row) => idIn(row)),
  )
  const counts = new Map<SourceKey, number>()
  draft.eachRow(
    'Webhook',
    (row) => textIn(row, 'subscriberUrl'),
    (row, key) => {
      const planned = planWebhook(draft, row, key, organizations)
      if ('pattern' in planned) return planned
      const count = (counts.get(planned.unit) ?? 0) + 1
      if (count > MOST_WEBHOOKS) return sentence`There can be at most ${MOST_WEBHOOKS} webhooks.`
      counts.set(planned.unit, count)
      return planned
    },
  )
}

function planWebhook(
  draft: Draft,
  row: SourceRow,
  key: SourceKey,
  organizations: ReadonlySet<string>,
): PlannedWebhook | Sentence {
  const url = lineOf(textIn(row, 'subscriberUrl'), 3000)
  if (!isWebAddress(url)) return sentence`Its address can’t be read.`
  const about = idIn(row, 'eventTypeId')
  const eventType = draft.eventTypes.get(keyOf('EventType', about))
  if (about !== '' && eventType === undefined) return EVENT_TYPE_STAYS
  const team = idIn(row, 'teamId')
  if (organizations.has(team))
    return sentence`It belongs to the organization, which has no webhooks here. Please add it to a team.`
  const owner = eventType?.content.owner ?? (team === '' ? draft.user(idIn(row, 'userId')) : draft.team(team))
  if (owner === undefined) return OWNER_STAYS
  const triggers = listOfAny(valueIn(row, 'eventTriggers')).filter((one) => typeof one === 'string')
  const known = triggers.filter((trigger) => Object.hasOwn(EVENTS, trigger))
  if (known.length === 0) return sentence`None of the events that it is told of exist here.`
  const notes: Sentence[] = []
  const lost = triggers.filter((trigger) => !known.includes(trigger)).map((trigger) => lineOf(trigger, 60))
  if (lost.length > 0) notes.push(sentence`It is not told of these events here: ${lost}.`)
  if (textIn(row, 'payloadTemplate').trim() !== '')
    notes.push(sentence`It had a payload of its own there. Here it gets the usual one.`)
  const app = lineOf(textIn(row, 'appId'), 60)
  if (app !== '') notes.push(sentence`It was made by ${app}: please connect that to this service.`)
  const content = {
    url,
    events: [...new Set(known.flatMap((trigger) => EVENTS[trigger] ?? []))],
    active: !isNo(valueIn(row, 'active')),
  }
  try {
    checkWebhook({ ...content, eventTypeIds: eventType === undefined ? [] : [eventType.key] })
  } catch (error) {
    if (error instanceof Problem) return error.sentence
    throw error
  }
  const secret = textIn(row, 'secret')
  return {
    kind: 'webhook',
    key,
    unit: owner,
    name: url,
    notes,
    content: {
      ...content,
      owner,
      eventTypes: eventType === undefined ? [] : [eventType.key],
      secret: lineOf(secret, LONGEST_SECRET) === secret ? secret : '',
      triggers: [...new Set(known)],
    },
  }
}
