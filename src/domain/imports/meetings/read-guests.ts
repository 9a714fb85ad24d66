import type { Invitee } from '../../bookings/booking.ts'
import { readInvitee } from '../../bookings/request.ts'
import type { Location } from '../../event-types/location.ts'
import type { CustomFields } from '../../event-types/questions.ts'
import { canonicalEmail, isEmail, isPhone, isWebAddress } from '../../people/contact.ts'
import { Problem } from '../../problem.ts'
import { findUnstorable } from '../../text.ts'
import type { Zones } from '../../zone.ts'
import type { ReadQuestions } from '../event-types/read-questions.ts'
import { OWN_FIELDS } from '../event-types/read-questions.ts'
import type { SourceBooking, SourceRow } from '../source.ts'
import {
  isYes,
  lineOf,
  listOfAny,
  proseOf,
  type Tree,
  textIn,
  treeIn,
  treeOf,
  valueIn,
  wholeOf,
} from '../values.ts'

const LOCALE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/

/** Who booked; undefined if they can't be written to. */
export function readGuest(
  attendee: SourceRow,
  responses: Tree,
  hostZone: string,
  zones: Zones,
): Invitee | undefined {
  const email = lineOf(textIn(attendee, 'email'), 300) || lineOf(textIn(responses, 'email'), 300)
  const [local = ''] = email.split('@')
  const name = lineOf(textIn(attendee, 'name'), 200) || nameIn(responses) || local
  const phones = [
    textIn(attendee, 'phoneNumber'),
    textIn(responses, 'attendeePhoneNumber'),
    textIn(responses, 'smsReminderNumber'),
    textIn(responses, 'phone'),
  ].map((text) => lineOf(text, 60))
  const locale = textIn(attendee, 'locale')
  try {
    return readInvitee(
      {
        inviteeName: name,
        inviteeEmail: email,
        inviteePhone: phones.find(isPhone) ?? '',
        inviteeTimezone: zones.find(textIn(attendee, 'timeZone'))?.id ?? hostZone,
        inviteeLocale: locale.length <= 35 && LOCALE.test(locale) ? locale : '',
      },
      zones,
    )
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** A name is one text, or first and last name. */
function nameIn(responses: Tree): string {
  const name = valueIn(responses, 'name')
  const { firstName, lastName } = treeOf(name)
  return lineOf(
    typeof name === 'string'
      ? name
      : [firstName, lastName].filter((part) => typeof part === 'string').join(' '),
    200,
  )
}

/** The addresses of others who come, each once. */
export function readOthers(attendees: readonly SourceRow[], invitee: Invitee): string[] {
  const seen = new Set([canonicalEmail(invitee.email)])
  return attendees.flatMap((attendee) => {
    const email = lineOf(textIn(attendee, 'email'), 300)
    if (!isEmail(email) || seen.has(canonicalEmail(email))) return []
    seen.add(canonicalEmail(email))
    return [email]
  })
}

const MOST_ANSWERS = 100
const MOST_TEXT = 5000

/** Answers by the keys of questions, with the labels of options. */
export function readAnswers(responses: Tree, older: Tree, { questions }: ReadQuestions): CustomFields {
  const answers: [string, unknown][] = []
  const used = new Set<string>()
  for (const { name, question, labels } of questions) {
    const given = valueIn(responses, name) ?? valueIn(older, question.label)
    used.add(name).add(question.label)
    const answer = answerOf(given, question.type, labels)
    if (answer !== undefined) answers.push([question.key, answer])
  }
  const others = [...Object.entries(responses), ...Object.entries(older)]
  for (const [name, given] of others) {
    if (
      used.has(name) ||
      OWN_FIELDS.has(name) ||
      lineOf(name, 200) !== name ||
      name === '' ||
      name === '__proto__'
    )
      continue
    used.add(name)
    const answer = answerOf(given, 'text', new Map())
    if (answer !== undefined) answers.push([name, answer])
  }
  return Object.fromEntries(
    answers.filter(([, answer]) => findUnstorable(answer) === undefined).slice(0, MOST_ANSWERS),
  )
}

function answerOf(given: unknown, type: string, labels: ReadonlyMap<string, string>): unknown {
  const label = (one: unknown) => {
    const text = textOf(one)
    return labels.get(text) ?? text
  }
  if (type === 'multiselect') {
    const chosen = (Array.isArray(given) ? given : [given]).map(label).filter((text) => text !== '')
    return chosen.length === 0 ? undefined : [...new Set(chosen)]
  }
  if (type === 'checkbox') return isYes(given) ? true : undefined
  if (type === 'number') {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
    if (typeof number === 'number' && Number.isFinite(number)) return number
  }
  const text = Array.isArray(given)
    ? listOfAny(given)
        .map(label)
        .filter((one) => one !== '')
        .join(', ')
    : label(given)
  return text === '' ? undefined : text
}

/** A plain value as text; a choice with a text of its own has both. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return proseOf(value, MOST_TEXT)
  if (typeof value === 'boolean' || wholeOf(value) !== undefined) return String(value)
  const { label, value: chosen, optionValue } = treeOf(value)
  const parts = [label ?? chosen, optionValue].map((one) => proseOf(one, MOST_TEXT))
  return proseOf(parts.filter((part) => part !== '').join(': '), MOST_TEXT)
}

/** Where a meeting is: its link, a number, or a place. */
export function readPlace({ booking, references }: SourceBooking): Location {
  const chosen = treeOf(valueIn(treeIn(booking, 'responses'), 'location'))
  const type = textIn(chosen, 'value')
  const text = lineOf(textIn(booking, 'location'), 2000)
  const links = [
    textIn(treeIn(booking, 'metadata'), 'videoCallUrl'),
    ...references.filter((row) => !isYes(valueIn(row, 'deleted'))).map((row) => textIn(row, 'meetingUrl')),
  ]
  const link = links.find(isWebAddress)
  if (link !== undefined) return { type: 'Video', value: link }
  if (isWebAddress(text)) return { type: type === 'link' ? 'Link' : 'Video', value: text }
  const said = lineOf(textIn(chosen, 'optionValue'), 2000)
  const place = isType(text) ? said : text
  if (
    text.startsWith('integrations:') ||
    text === 'conferencing' ||
    (text === '' && type.startsWith('integrations:'))
  )
    return { type: 'Video', value: '' }
  if (isPhone(place)) return { type: 'Phone', value: place }
  return { type: 'InPerson', value: place }
}

const TYPES: ReadonlySet<string> = new Set([
  'inPerson',
  'attendeeInPerson',
  'phone',
  'userPhone',
  'link',
  'somewhereElse',
])

/** Some bookings have the name of a type where others have the place itself. */
const isType = (text: string) => text === '' || TYPES.has(text)
