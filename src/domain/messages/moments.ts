/** When a message is sent. */
export const MOMENTS = [
  'booked',
  'requested',
  'approved',
  'declined',
  'cancelled',
  'rescheduled',
  'no-show',
  'before',
  'after',
  'unbooked',
] as const

export type Moment = (typeof MOMENTS)[number]

/** Who gets it: the guest, those whom they bring, or the hosts. */
export const RECIPIENTS = ['guest', 'guests', 'hosts'] as const

export type Recipient = (typeof RECIPIENTS)[number]

/** The names of a meeting that has a time. */
const OF_MEETINGS = ['start', 'end', 'location', 'link.join', 'link.reschedule', 'link.cancel'] as const

/** The names of every moment. */
const ALWAYS = [
  'guest.name',
  'guest.firstName',
  'guest.email',
  'host.name',
  'event.name',
  'duration',
  'link.book',
] as const

/** What a text can say, in the order in which editors offer it. Answers come on top, by their keys. */
export function namesOf(on: Moment, to: Recipient): readonly string[] {
  const names: readonly string[] =
    on === 'unbooked'
      ? ALWAYS
      : on === 'cancelled' || on === 'declined'
        ? [...ALWAYS, ...OF_MEETINGS, 'reason']
        : [...ALWAYS, ...OF_MEETINGS]
  // With the guest's page, those whom they bring could cancel the meeting.
  return to === 'guests'
    ? names.filter((name) => name !== 'link.reschedule' && name !== 'link.cancel')
    : names
}

/** Names that exist at some moment. */
export const ALL_NAMES: ReadonlySet<string> = new Set([...ALWAYS, ...OF_MEETINGS, 'reason'])

export const isAnswer = (name: string) => name.startsWith('answers.') && name.length > 'answers.'.length

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['location', 'link.join', 'reason'])

/** Whether a text with this name should say what stands there without it. */
export const mayBeEmpty = (name: string) => isAnswer(name) || MAY_BE_EMPTY.has(name)
