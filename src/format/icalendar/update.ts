import ICAL from 'ical.js'

/** What we write about a meeting. Everything else in the host's entry is theirs. */
const OURS = [
  'uid',
  'sequence',
  'dtstamp',
  'dtstart',
  'dtend',
  'summary',
  'description',
  'location',
  'status',
]
const TIME = ['dtstart', 'dtend', 'duration']
/** Removed: a server would write to attendees, and a length would contradict our end. */
const UNWANTED = ['attendee', 'organizer', 'request-status', 'duration']

/**
 * The entry that a calendar has, changed to say what `wanted` says.
 *
 * Alarms, categories and colours that the host has added stay, and with `keepTime` also where the host has moved it.
 * An entry that cannot be read is replaced.
 */
export function updatedEntry(present: string, wanted: string, keepTime = false): string {
  try {
    const calendar = new ICAL.Component(ICAL.parse(present) as unknown[])
    const [event, ...others] = calendar.getAllSubcomponents('vevent')
    const ours = new ICAL.Component(ICAL.parse(wanted) as unknown[]).getFirstSubcomponent('vevent')
    // Occurrences of their own mean that the host has made a repeating event of it.
    if (event === undefined || ours === null || others.length > 0) return wanted
    // Some programs count the host's own changes.
    const sequence = Math.max(sequenceOf(event), sequenceOf(ours))
    const written = keepTime ? OURS.filter((name) => !TIME.includes(name)) : OURS
    const removed = keepTime ? UNWANTED.filter((name) => !TIME.includes(name)) : UNWANTED
    for (const name of [...written, ...removed]) event.removeAllProperties(name)
    for (const name of written) {
      for (const property of ours.getAllProperties(name)) event.addProperty(property)
    }
    event.updatePropertyWithValue('sequence', sequence)
    calendar.removeAllProperties('method')
    return `${calendar.toString()}\r\n`
  } catch {
    return wanted
  }
}

/** Whether the entry already says what `wanted` says, in this version or a later one; with `keepTime` at any time. */
export function saysTheSame(present: string, wanted: string, keepTime = false): boolean {
  try {
    const [there, ours] = [present, wanted].map((text) =>
      new ICAL.Component(ICAL.parse(text) as unknown[]).getFirstSubcomponent('vevent'),
    )
    if (!there || !ours || sequenceOf(there) < sequenceOf(ours)) return false
    const textOf = (event: ICAL.Component, name: string) =>
      String(event.getFirstPropertyValue(name) ?? '').trim()
    const compared = keepTime ? COMPARED.filter((name) => !TIME.includes(name)) : COMPARED
    return compared.every((name) => textOf(there, name) === textOf(ours, name))
  } catch {
    return false
  }
}

const COMPARED = OURS.filter((name) => name !== 'dtstamp' && name !== 'sequence')

const sequenceOf = (event: ICAL.Component) => Number(event.getFirstPropertyValue('sequence') ?? 0) || 0
