import { LANGUAGES, type Language } from '../languages.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { checkName, checkProse, isLine } from '../text.ts'
import { isLinkTarget, linksIn } from './markup.ts'
import { ALL_NAMES, isAnswer, MOMENTS, type Moment, mayBeEmpty, namesOf, type Recipient } from './moments.ts'
import { parseTemplate, positionOf, usesIn } from './template.ts'

export const CHANNELS = ['email', 'sms'] as const

export type Channel = (typeof CHANNELS)[number]

/** The words of a message in one language; texts for phones have no subject. */
export interface MessageText {
  readonly subject: string
  readonly body: string
}

export type MessageTexts = Readonly<Partial<Record<Language, MessageText>>>

/** What a host can set of a message. */
export interface MessageContent {
  readonly name: string
  readonly on: Moment
  /** How long before the start, after the end, or after the answers to a form; null for other moments. */
  readonly minutes: number | null
  readonly to: Recipient
  readonly by: Channel
  /** Empty: all event types of the owner. */
  readonly eventTypeIds: readonly string[]
  /** The same for forms, where no booking came of the answers. */
  readonly formIds: readonly string[]
  readonly enabled: boolean
  /** Its words stand in the service's own mail of that moment. */
  readonly replaces: boolean
  readonly texts: MessageTexts
}

/** A host's own words at a moment of a booking. */
export interface Message extends MessageContent {
  readonly id: string
  readonly schedulerId: string
  readonly createdAt: number
}

export const MESSAGE_DEFAULTS = {
  minutes: null,
  to: 'guest',
  by: 'email',
  eventTypeIds: [],
  formIds: [],
  enabled: true,
  replaces: false,
} as const satisfies Partial<MessageContent>

export const MAX_SUBJECT = 200
export const MAX_BODY = 10_000
export const MAX_SMS = 1000

const [LEAST_MINUTES, MOST_MINUTES, MOST_UNBOOKED] = [5, 43_200, 10_080]

/** Moments at which the service sends a mail of its own, whose words a message can replace. */
export const REPLACEABLE: ReadonlySet<Moment> = new Set<Moment>([
  'booked',
  'requested',
  'approved',
  'declined',
  'cancelled',
  'rescheduled',
  'before',
])

/** Throws `invalid` with the reason if a message contradicts itself, or if its words can't be filled in. */
export function checkMessage(message: MessageContent, ownersLanguage: Language): void {
  checkName(message.name)
  checkMinutes(message)
  checkRecipient(message)
  checkScope(message)
  checkReplaces(message)
  if (message.texts[ownersLanguage] === undefined) {
    refuse('texts', sentence`Write the text in your own language, too: ${ownersLanguage}.`)
  }
  for (const language of LANGUAGES) {
    const text = message.texts[language]
    if (text !== undefined) checkText(message, text, `texts.${language}`)
  }
}

function refuse(field: string, reason: Sentence): never {
  throw new Problem('invalid', reason, { field })
}

function checkMinutes({ on, minutes }: MessageContent): void {
  if (on !== 'before' && on !== 'after' && on !== 'unbooked') {
    if (minutes !== null)
      refuse('minutes', sentence`Only messages before, after or without a booking have a number of minutes.`)
    return
  }
  const most = on === 'unbooked' ? MOST_UNBOOKED : MOST_MINUTES
  if (minutes === null || !Number.isInteger(minutes) || minutes < LEAST_MINUTES || minutes > most) {
    throw invalidField(
      'minutes',
      sentence`{field} must be a whole number of minutes from ${LEAST_MINUTES} to ${most}.`,
    )
  }
}

function checkRecipient({ on, to, by }: MessageContent): void {
  if (on === 'unbooked' && to === 'guests')
    refuse('to', sentence`A message without a booking goes to the guest or to the hosts.`)
  if (by === 'sms' && to !== 'guest') refuse('to', sentence`Text messages go to the guest alone.`)
  if (by === 'sms' && on === 'unbooked')
    refuse('by', sentence`Guests agree to text messages when they book, so nobody else gets them.`)
}

function checkScope({ on, eventTypeIds, formIds }: MessageContent): void {
  if (on === 'unbooked' && eventTypeIds.length > 0)
    refuse('eventTypeIds', sentence`A message without a booking belongs to forms, not to event types.`)
  if (on !== 'unbooked' && formIds.length > 0)
    refuse('formIds', sentence`Only a message without a booking belongs to forms.`)
  for (const [field, ids] of Object.entries({ eventTypeIds, formIds })) {
    const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
    if (twice >= 0) refuse(`${field}.${twice}`, sentence`This is listed twice.`)
  }
}

function checkReplaces({ on, by, replaces }: MessageContent): void {
  if (!replaces) return
  if (by === 'sms') refuse('replaces', sentence`A text message can’t replace a mail of the service.`)
  if (!REPLACEABLE.has(on))
    refuse(
      'replaces',
      sentence`The service sends no mail of its own at this moment, so there is nothing to replace.`,
    )
}

function checkText(message: MessageContent, { subject, body }: MessageText, field: string): void {
  if (message.by === 'sms') {
    if (subject !== '') refuse(`${field}.subject`, sentence`A text message has no subject.`)
  } else {
    if (subject.trim() === '') throw invalidField(`${field}.subject`, sentence`{field} must not be empty.`)
    if (!isLine(subject) || !subject.isWellFormed())
      throw invalidField(`${field}.subject`, sentence`{field} must be one line of text.`)
    checkLength(subject, MAX_SUBJECT, `${field}.subject`)
    checkTemplate(message, subject, `${field}.subject`)
  }
  if (body.trim() === '') throw invalidField(`${field}.body`, sentence`{field} must not be empty.`)
  checkLength(body, message.by === 'sms' ? MAX_SMS : MAX_BODY, `${field}.body`)
  checkProse(body, `${field}.body`)
  checkTemplate(message, body, `${field}.body`)
}

function checkLength(text: string, most: number, field: string): void {
  if (text.length > most) throw invalidField(field, sentence`{field} must be at most ${most} characters.`)
}

function checkTemplate(message: Pick<MessageContent, 'on' | 'to'>, source: string, field: string): void {
  const [first] = findErrors(message, source)
  if (first === undefined) return
  throw new Problem('invalid', placed(source, first), { field })
}

/** What is wrong, with its place in the text. */
export function placed(source: string, { at, reason }: TextError): Sentence {
  const { line, column } = positionOf(source, at)
  return sentence`${reason} (line ${line}, column ${column})`
}

/** What is wrong at an offset of a text. */
export interface TextError {
  readonly at: number
  readonly reason: Sentence
}

/** Everything that is wrong with a subject or body, in the order of its text. */
export function findErrors({ on, to }: Pick<MessageContent, 'on' | 'to'>, source: string): TextError[] {
  const { parts, errors } = parseTemplate(source)
  const linkErrors = [...findBadLinks(source), ...findGluedValues(source)]
  if (errors.length > 0) return [...errors, ...linkErrors].sort((a, b) => a.at - b.at)
  const names = new Set(namesOf(on, to))
  const unknown = usesIn(parts)
    .filter(({ name }) => !names.has(name) && !isAnswer(name))
    .map(({ name, at }) => ({
      at,
      reason: ALL_NAMES.has(name)
        ? sentence`There is no ${name} in a message of this kind.`
        : sentence`There is no value called "${name}".`,
    }))
  return [...unknown, ...linkErrors].sort((a, b) => a.at - b.at)
}

const OWN_LINK = /^\{\{\s*link\.\w+\s*\}\}$/

function findBadLinks(source: string): TextError[] {
  return linksIn(source)
    .filter(({ target }) => !OWN_LINK.test(target) && (target.includes('{{') || !isLinkTarget(target)))
    .map(({ at }) => ({
      at,
      reason: sentence`A link leads to an address with https:, http: or mailto:, or is one of the link values.`,
    }))
}

/** Mail programs would read a value at the end of an address as part of it. */
function findGluedValues(source: string): TextError[] {
  return Array.from(source.matchAll(/https?:\/\/[^\s<>(){}]*(?=\{\{)/gi), (found) => ({
    at: found.index + found[0].length,
    reason: sentence`A value can’t be part of a web address.`,
  }))
}

/** Values that may be empty, and leave a hole in the text: where they stand, and their names. */
export function findHoles(source: string): { readonly at: number; readonly name: string }[] {
  const { parts, errors } = parseTemplate(source)
  if (errors.length > 0) return []
  return usesIn(parts)
    .filter(({ name, asked, given }) => !asked && mayBeEmpty(name) && !given.has(name))
    .map(({ at, name }) => ({ at, name }))
}

/** Whether a message is about this event type. */
export const isAbout = (
  { on, eventTypeIds }: Pick<MessageContent, 'on' | 'eventTypeIds'>,
  eventTypeId: string,
) => on !== 'unbooked' && (eventTypeIds.length === 0 || eventTypeIds.includes(eventTypeId))

/** Whether a message is about this form. */
export const isAboutForm = ({ on, formIds }: Pick<MessageContent, 'on' | 'formIds'>, formId: string) =>
  on === 'unbooked' && (formIds.length === 0 || formIds.includes(formId))

/** Throws `state_conflict` if another message replaces the same mail. */
export function checkOnlyReplacement(
  message: MessageContent & { readonly id?: string },
  others: readonly Message[],
): void {
  if (!message.replaces) return
  const rival = others.find((other) => other.id !== message.id && replacesSame(message, other))
  if (rival !== undefined) {
    throw new Problem(
      'state_conflict',
      sentence`“${rival.name}” already replaces this mail. Change that message instead, or add this one without replacing.`,
      { field: 'replaces' },
    )
  }
}

function replacesSame(one: MessageContent, other: MessageContent): boolean {
  if (!other.replaces || one.on !== other.on || one.to !== other.to || one.minutes !== other.minutes)
    return false
  const [some, more] = [one.eventTypeIds, other.eventTypeIds]
  return some.length === 0 || more.length === 0 || some.some((id) => more.includes(id))
}

/** The words for a reader of a language: theirs, else the owner's. */
export function textFor(
  { texts }: Pick<MessageContent, 'texts'>,
  language: Language,
  ownersLanguage: Language,
): { readonly language: Language; readonly text: MessageText } {
  const own = texts[language]
  if (own !== undefined) return { language, text: own }
  const owners = texts[ownersLanguage]
  if (owners !== undefined) return { language: ownersLanguage, text: owners }
  // The owner may have changed their language since.
  const spoken = LANGUAGES.find((one) => texts[one] !== undefined) ?? ownersLanguage
  return { language: spoken, text: texts[spoken] ?? { subject: '', body: '' } }
}

export const isMoment = (text: string): text is Moment => MOMENTS.some((moment) => moment === text)
