import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { nastyText } from '../../../test/nasty-text.ts'
import { printableLine, printableProse } from '../text/printable.ts'
import { type InvitedMeeting, writeInvitation } from './invitation.ts'

const STARTS_AT = Date.UTC(2027, 2, 28, 0, 30)

const meeting = (given: Partial<InvitedMeeting> = {}): InvitedMeeting => ({
  uid: 'one@punctual',
  sequence: 3,
  at: Date.UTC(2027, 0, 1),
  startsAt: STARTS_AT,
  endsAt: STARTS_AT + 1_800_000,
  summary: 'Intro call: Grace & Ada',
  description: 'Reschedule or cancel: https://book.example.com/booking/1?token=a-_b',
  location: 'Main Street 1; second floor, left',
  url: 'https://book.example.com/booking/1?token=a-_b',
  organizer: { name: 'Ada Host', email: 'ada@hosts.example' },
  attendees: [
    { name: 'Grace Guest', email: 'grace@guests.example' },
    { name: 'Bo', email: 'bo@hosts.example' },
  ],
  ...given,
})

function read(ics: string) {
  const calendar = new ICAL.Component(ICAL.parse(ics))
  const events = calendar.getAllSubcomponents('vevent')
  assert.equal(events.length, 1)
  return { calendar, event: events[0] as ICAL.Component }
}

describe('writeInvitation', () => {
  it('encodes in addresses what a mailto: URI would misread, and only that', () => {
    const odd = { name: 'Odd', email: "o'b+c/d?e&f%40@guests.example" }
    const { ics } = writeInvitation('REQUEST', meeting({ organizer: odd, attendees: [odd] }))
    const { event } = read(ics)
    for (const name of ['organizer', 'attendee']) {
      const address = event.getFirstPropertyValue(name)?.toString()
      assert.equal(address?.replace(/^mailto:/i, ''), "o'b+c%2Fd%3Fe%26f%2540@guests.example")
    }
  })

  it('says who meets when and where, in UTC', () => {
    const { method, ics } = writeInvitation('REQUEST', meeting())
    const { calendar, event } = read(ics)
    const value = (name: string) => event.getFirstPropertyValue(name)?.toString()
    assert.deepEqual([method, calendar.getFirstPropertyValue('method')], ['REQUEST', 'REQUEST'])
    assert.deepEqual(
      ['uid', 'sequence', 'dtstart', 'dtend', 'dtstamp', 'status', 'summary', 'location', 'url'].map(value),
      [
        'one@punctual',
        '3',
        '2027-03-28T00:30:00Z',
        '2027-03-28T01:00:00Z',
        '2027-01-01T00:00:00Z',
        'CONFIRMED',
        'Intro call: Grace & Ada',
        'Main Street 1; second floor, left',
        'https://book.example.com/booking/1?token=a-_b',
      ],
    )
    assert.equal(value('description'), meeting().description)
    assert.equal(event.getFirstProperty('organizer')?.getParameter('cn'), 'Ada Host')
    assert.equal(value('organizer')?.toLowerCase(), 'mailto:ada@hosts.example')
    const attendees = event.getAllProperties('attendee')
    assert.deepEqual(
      attendees.map((attendee) => [
        attendee.getParameter('cn'),
        attendee.getFirstValue()?.toString().toLowerCase(),
        attendee.getParameter('partstat'),
        attendee.getParameter('rsvp'),
      ]),
      [
        ['Grace Guest', 'mailto:grace@guests.example', 'ACCEPTED', 'FALSE'],
        ['Bo', 'mailto:bo@hosts.example', 'ACCEPTED', 'FALSE'],
      ],
    )
  })

  it('cancels with the same method inside as outside', () => {
    const { method, ics } = writeInvitation('CANCEL', meeting())
    const { calendar, event } = read(ics)
    assert.deepEqual([method, calendar.getFirstPropertyValue('method')], ['CANCEL', 'CANCEL'])
    assert.equal(event.getFirstPropertyValue('status'), 'CANCELLED')
  })

  it('stays valid for any input', () => {
    fc.assert(
      fc.property(nastyText, nastyText, nastyText, nastyText, (summary, description, location, name) => {
        const given = meeting({
          summary,
          description,
          location,
          organizer: { name, email: 'ada@hosts.example' },
          attendees: [{ name, email: 'grace@guests.example' }],
        })
        const { ics } = writeInvitation('REQUEST', given)
        assert.ok(ics.isWellFormed() && !/(?<!\r)\n|\r(?!\n)/.test(ics))
        for (const line of ics.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
        const { calendar, event } = read(ics)
        assert.equal(calendar.getAllSubcomponents().length, 1)
        assert.deepEqual(
          calendar.getAllProperties().map((property) => property.name),
          ['version', 'prodid', 'method'],
        )
        const names = event.getAllProperties().map((property) => property.name)
        assert.deepEqual(
          names.filter((property) => property !== 'location' && property !== 'description'),
          [
            'uid',
            'sequence',
            'dtstamp',
            'dtstart',
            'dtend',
            'summary',
            'organizer',
            'attendee',
            'url',
            'status',
          ],
        )
        assert.equal(event.getFirstPropertyValue('summary'), printableLine(summary))
        assert.equal(event.getFirstPropertyValue('location') ?? '', printableLine(location))
        assert.equal(event.getFirstPropertyValue('description') ?? '', printableProse(description))
        const shown = printableLine(name).replaceAll('"', '’').replaceAll('\\', '/')
        assert.equal(event.getFirstProperty('organizer')?.getParameter('cn'), shown || 'ada@hosts.example')
      }),
    )
  })
})
