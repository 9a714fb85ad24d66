import { LANGUAGES, type Language } from '../../languages.ts'
import {
  checkMessage,
  MAX_BODY,
  MAX_SMS,
  MAX_SUBJECT,
  type MessageContent,
  type MessageText,
} from '../../messages/message.ts'
import type { Moment, Recipient } from '../../messages/moments.ts'
import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { type Draft, keyOf } from '../draft.ts'
import { isOrganization } from '../people/plan-people.ts'
import type { PlannedMessage, PlannedTeam, PlannedUser } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import { clamp, flagIn, groupBy, idIn, lineOf, lookUp, proseOf, textIn, wholeIn } from '../values.ts'
import { OWNER_STAYS } from '../words.ts'
import { readyText } from './ready-texts.ts'
import { type Place, toMarkdown, toPlain } from './to-markdown.ts'

const MOMENTS: Readonly<Record<string, Moment>> = {
  BEFORE_EVENT: 'before',
  AFTER_EVENT: 'after',
  NEW_EVENT: 'booked',
  EVENT_CANCELLED: 'cancelled',
  RESCHEDULE_EVENT: 'rescheduled',
  BOOKING_REJECTED: 'declined',
  BOOKING_REQUESTED: 'requested',
  BOOKING_NO_SHOW_UPDATED: 'no-show',
  FORM_SUBMITTED_NO_EVENT: 'unbooked',
}

const UNKNOWN_MOMENTS: Readonly<Record<string, Sentence>> = {
  FORM_SUBMITTED: sentence`Messages follow bookings here, and not answers to a form.`,
  BOOKING_PAID: sentence`Messages don’t tell of payments here: guests get Stripe’s receipts.`,
  BOOKING_PAYMENT_INITIATED: sentence`Messages don’t tell of payments here: guests get Stripe’s receipts.`,
  AFTER_HOSTS_CAL_VIDEO_NO_SHOW: sentence`Nobody knows here who has joined a video call.`,
  AFTER_GUESTS_CAL_VIDEO_NO_SHOW: sentence`Nobody knows here who has joined a video call.`,
}

const RECIPIENTS: Readonly<Record<string, Pick<MessageContent, 'to' | 'by'>>> = {
  EMAIL_HOST: { to: 'hosts', by: 'email' },
  EMAIL_ATTENDEE: { to: 'guest', by: 'email' },
  SMS_ATTENDEE: { to: 'guest', by: 'sms' },
}

const UNKNOWN_ACTIONS: Readonly<Record<string, Sentence>> = {
  EMAIL_ADDRESS: sentence`Messages go to guests and hosts here, and not to a fixed address.`,
  SMS_NUMBER: sentence`Text messages go to guests here, and not to a fixed number.`,
  WHATSAPP_ATTENDEE: sentence`There is no WhatsApp here.`,
  WHATSAPP_NUMBER: sentence`There is no WhatsApp here.`,
  CAL_AI_PHONE_CALL: sentence`Nobody is called by a machine here.`,
}

const MOST_MESSAGES = 100

interface Surroundings {
  readonly draft: Draft
  readonly workflows: ReadonlyMap<string, SourceRow>
  readonly steps: ReadonlyMap<string, readonly SourceRow[]>
  readonly activeOn: ReadonlyMap<string, readonly SourceRow[]>
  /** The same for forms; undefined: of a version that does not know. */
  readonly activeOnForms: ReadonlyMap<string, readonly SourceRow[]> | undefined
  readonly organizations: ReadonlySet<string>
  readonly counts: Map<SourceKey, number>
}

type Owner = PlannedUser | PlannedTeam

/** Workflows: each of their steps is a message. */
export function planMessages(draft: Draft): void {
  const workflows = draft.rows('Workflow')
  const steps = groupBy(draft.rows('WorkflowStep'), (row) => idIn(row, 'workflowId'))
  const ofForms = draft.rows('WorkflowsOnRoutingForms')
  const surroundings: Surroundings = {
    draft,
    workflows: new Map(workflows.map((row) => [idIn(row), row])),
    steps,
    activeOn: groupBy(draft.rows('WorkflowsOnEventTypes'), (row) => idIn(row, 'workflowId')),
    activeOnForms: ofForms.length === 0 ? undefined : groupBy(ofForms, (row) => idIn(row, 'workflowId')),
    organizations: new Set(
      draft
        .rows('Team')
        .filter(isOrganization)
        .map((row) => idIn(row)),
    ),
    counts: new Map(),
  }
  for (const [index, row] of workflows.entries()) {
    if (idIn(row) !== '' && steps.has(idIn(row))) continue
    const { key } = draft.claimKey('Workflow', row, index)
    draft.leaveOut(key, textIn(row, 'name'), sentence`This workflow has no steps.`)
  }
  const nameOf = (row: SourceRow) => nameIn(surroundings, row)
  draft.eachRow('WorkflowStep', nameOf, (row, key) => planMessage(surroundings, row, key))
}

function nameIn({ workflows, steps }: Surroundings, row: SourceRow): string {
  const id = idIn(row, 'workflowId')
  const workflow = workflows.get(id)
  const name = workflow === undefined ? '' : lineOf(textIn(workflow, 'name'), 190)
  const number = wholeIn(row, 'stepNumber') ?? 1
  return (steps.get(id)?.length ?? 1) > 1 && name !== '' ? `${name} (${number})` : name
}

function ownerOf({ draft, organizations }: Surroundings, workflow: SourceRow): Owner | Sentence {
  const team = idIn(workflow, 'teamId')
  if (organizations.has(team))
    return sentence`It belongs to the organization, which has no messages here. Please add it to a team.`
  const owner =
    team === ''
      ? draft.users.get(keyOf('users', idIn(workflow, 'userId')))
      : draft.teams.get(keyOf('Team', team))
  return owner ?? OWNER_STAYS
}

function planMessage(all: Surroundings, row: SourceRow, key: SourceKey): PlannedMessage | Sentence {
  const { draft } = all
  const workflow = all.workflows.get(idIn(row, 'workflowId'))
  if (workflow === undefined || draft.isLeftOut(keyOf('Workflow', idIn(workflow))))
    return sentence`The workflow that it belongs to does not come along.`
  const owner = ownerOf(all, workflow)
  if ('pattern' in owner) return owner
  const trigger = textIn(workflow, 'trigger')
  const on = lookUp(MOMENTS, trigger)
  if (on === undefined)
    return lookUp(UNKNOWN_MOMENTS, trigger) ?? sentence`There is no message for this moment here.`
  const action = textIn(row, 'action')
  const recipient = lookUp(RECIPIENTS, action)
  if (recipient === undefined)
    return lookUp(UNKNOWN_ACTIONS, action) ?? sentence`Messages of this kind are not known here.`
  if (recipient.by === 'sms' && (!draft.here.smsOffered || on === 'unbooked'))
    return sentence`Text messages are not offered here, or not at this moment.`
  const count = all.counts.get(owner.key) ?? 0
  if (count >= MOST_MESSAGES) return sentence`There can be at most ${MOST_MESSAGES} messages.`
  const notes: Sentence[] = []
  const scope = planScope(all, workflow, owner, on, notes)
  const language = LANGUAGES.find((one) => one === owner.content.locale) ?? 'en'
  const message: MessageContent = {
    name: nameIn(all, row) || lineOf(trigger, 190),
    on,
    minutes: planMinutes(workflow, on, notes),
    ...recipient,
    ...scope,
    replaces: false,
    texts: { [language]: planText(all, row, owner, on, recipient, language, notes) },
  }
  if (flagIn(row, 'includeCalendarEvent') && recipient.by === 'email')
    notes.push(sentence`No calendar file is attached here: the service’s own emails have it.`)
  try {
    checkMessage(message, language)
  } catch (error) {
    if (error instanceof Problem) return error.sentence
    throw error
  }
  all.counts.set(owner.key, count + 1)
  return {
    kind: 'message',
    key,
    unit: owner.key,
    name: message.name,
    notes,
    content: { owner: owner.key, message },
  }
}

/** Which event types it is about: those of its owner alone. */
function planScope(
  all: Surroundings,
  workflow: SourceRow,
  owner: Owner,
  on: Moment,
  notes: Sentence[],
): Pick<MessageContent, 'eventTypeIds' | 'formIds' | 'enabled'> {
  if (on === 'unbooked') return planForms(all, workflow, owner, notes)
  const { draft, activeOn } = all
  const own = [...draft.eventTypes.values()].filter(({ content }) => content.owner === owner.key)
  const links = activeOn.get(idIn(workflow)) ?? []
  const isForAll = flagIn(workflow, 'isActiveOnAll')
  const wanted = new Set(links.map((link) => keyOf('EventType', idIn(link, 'eventTypeId'))))
  const about = isForAll ? own : own.filter(({ key }) => wanted.has(key))
  if (!isForAll && about.length === 0)
    notes.push(sentence`It is for none of the event types that come along, so it is switched off here.`)
  else if (!isForAll && about.length < wanted.size)
    notes.push(sentence`It is only for those of its event types that belong to ${owner.name}.`)
  if (on === 'booked' && about.some(({ content }) => content.settings.requiresApproval))
    notes.push(sentence`Bookings that need approval don’t get it here: please add one for approved bookings.`)
  return {
    eventTypeIds: isForAll ? [] : about.map(({ key }) => key),
    formIds: [],
    enabled: isForAll || about.length > 0,
  }
}

/** Which forms it is about: those of its owner alone. */
function planForms(
  { draft, activeOnForms }: Surroundings,
  workflow: SourceRow,
  owner: Owner,
  notes: Sentence[],
): Pick<MessageContent, 'eventTypeIds' | 'formIds' | 'enabled'> {
  if (flagIn(workflow, 'isActiveOnAll') || activeOnForms === undefined) {
    notes.push(sentence`It is for all forms of ${owner.name} here.`)
    return { eventTypeIds: [], formIds: [], enabled: true }
  }
  const links = activeOnForms.get(idIn(workflow)) ?? []
  const wanted = new Set(links.map((link) => keyOf('App_RoutingForms_Form', idIn(link, 'routingFormId'))))
  const about = [...draft.forms.values()].filter(
    ({ key, content }) => content.owner === owner.key && wanted.has(key),
  )
  if (about.length === 0)
    notes.push(sentence`It is for none of the forms that come along, so it is switched off here.`)
  else if (about.length < wanted.size)
    notes.push(sentence`It is only for those of its forms that belong to ${owner.name}.`)
  return { eventTypeIds: [], formIds: about.map(({ key }) => key), enabled: about.length > 0 }
}

const UNITS: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 }
const TIMED: ReadonlySet<Moment> = new Set<Moment>(['before', 'after', 'unbooked'])

function planMinutes(workflow: SourceRow, on: Moment, notes: Sentence[]): number | null {
  if (!TIMED.has(on)) return null
  const unit = lookUp(UNITS, textIn(workflow, 'timeUnit').toLowerCase()) ?? 60
  const wanted = (wholeIn(workflow, 'time') ?? 24) * unit
  const minutes = clamp(wanted, 5, on === 'unbooked' ? 10_080 : 43_200)
  if (minutes !== wanted)
    notes.push(sentence`It is sent ${minutes} minutes from the moment here, and not ${wanted}.`)
  return minutes
}

function planText(
  { draft }: Surroundings,
  row: SourceRow,
  owner: Owner,
  on: Moment,
  { to, by }: { readonly to: Recipient; readonly by: string },
  language: Language,
  notes: Sentence[],
): MessageText {
  const place: Place = { on, to, answers: answersOf(draft, owner) }
  const ready = readyText(language, on)
  const subject = toPlain(lineOf(textIn(row, 'emailSubject'), 1000), place)
  const body =
    by === 'sms'
      ? toPlain(textIn(row, 'reminderBody'), place)
      : toMarkdown(textIn(row, 'reminderBody'), place)
  const lost = [...new Set([...(by === 'sms' ? [] : subject.lost), ...body.lost])]
  if (lost.length > 0) notes.push(sentence`Not filled in here: ${lost}.`)
  const isOwn = body.text !== ''
  if (!isOwn) notes.push(sentence`It had no words of its own there, so it has ours.`)
  const words = isOwn ? body.text : ready.body
  const most = by === 'sms' ? MAX_SMS : MAX_BODY
  if (words.length > most) notes.push(sentence`Its text is cut after ${most} characters.`)
  return {
    subject: by === 'sms' ? '' : subjectOf(subject.text, ready.subject),
    body: closed(proseOf(words, most)),
  }
}

const subjectOf = (text: string, otherwise: string) => closed(lineOf(text, MAX_SUBJECT)) || otherwise

/** A text that was cut may end within a value. */
const closed = (text: string) => text.replace(/\{\{[^{}]*$/, '').trim()

/** What the answers to the questions of an owner's event types are called there. */
function answersOf(draft: Draft, { key }: Owner): ReadonlyMap<string, string> {
  const questions = [...draft.eventTypes.values()]
    .filter(({ content }) => content.owner === key)
    .flatMap(({ content }) => content.settings.questions)
  const upper = (text: string) =>
    text
      .trim()
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
  return new Map(
    questions.flatMap((question) => [
      [upper(question.label), question.key],
      [upper(question.key), question.key],
    ]),
  )
}
