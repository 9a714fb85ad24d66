import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import ICAL from 'ical.js'
import { updatedEntry } from './update.ts'

const entry = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    'UID:1@punctual',
    'DTSTAMP:20270101T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const WANTED = entry('SEQUENCE:1', 'DTSTART:20270112T110000Z', 'DTEND:20270112T120000Z', 'SUMMARY:Talk')

const eventIn = (text: string) => {
  const event = new ICAL.Component(ICAL.parse(text) as unknown[]).getFirstSubcomponent('vevent')
  assert.ok(event)
  return event
}

describe('updatedEntry', () => {
  it('changes what we write, and keeps what the host has added', () => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Go', 'TRIGGER:-PT2H', 'END:VALARM']
    const present = entry(
      'SEQUENCE:0',
      'DTSTART:20270112T090000Z',
      'DURATION:PT1H',
      'SUMMARY:Renamed',
      'CATEGORIES:Important',
      'X-APPLE-TRAVEL-DURATION:PT30M',
      'ATTENDEE:mailto:guest@guests.example',
      ...alarm,
    )
    const event = eventIn(updatedEntry(present, WANTED))
    const value = (name: string) => String(event.getFirstPropertyValue(name))
    assert.deepEqual(
      ['sequence', 'dtstart', 'dtend', 'summary', 'categories', 'x-apple-travel-duration'].map(value),
      ['1', '2027-01-12T11:00:00Z', '2027-01-12T12:00:00Z', 'Talk', 'Important', 'PT30M'],
    )
    assert.equal(event.getAllProperties('attendee').length, 0)
    assert.equal(event.getAllProperties('duration').length, 0)
    const [kept, ...more] = event.getAllSubcomponents('valarm')
    assert.equal(String(kept?.getFirstPropertyValue('trigger')), '-PT2H')
    assert.equal(more.length, 0)
  })

  it('replaces an entry that it cannot read, or that repeats', () => {
    for (const present of [
      '',
      'nonsense',
      entry().replace('BEGIN:VEVENT', 'BEGIN:VEVENT\r\nEND:VEVENT\r\nBEGIN:VEVENT'),
    ]) {
      assert.equal(updatedEntry(present, WANTED), WANTED)
    }
  })
})
