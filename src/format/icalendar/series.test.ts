import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import ICAL from 'ical.js'
import { TWENTY_ZONES } from '../../../test/zones.ts'
import { seriesStarts, wallTimeOf } from '../../domain/bookings/series.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import { Zones } from '../../domain/zone.ts'
import type { InvitedMeeting } from './invitation.ts'
import { type InvitedSeries, writeMeetingOfSeries, writeSeries } from './series.ts'

const zones = new Zones()
const LENGTH = 45 * MINUTE

const meeting: InvitedMeeting = {
  uid: 'series@punctual',
  sequence: 3,
  at: Date.UTC(2027, 0, 1),
  startsAt: 0,
  endsAt: 0,
  summary: 'Tea',
  description: 'With milk',
  location: 'Kitchen',
  url: 'https://punctual.example/booking/1',
  organizer: { name: 'Ada', email: 'ada@hosts.example' },
  attendees: [{ name: 'Grace', email: 'grace@guests.example' }],
}

function seriesOf(
  firstAt: number,
  zoneName: string,
  every: InvitedSeries['every'] = 'week',
  count = 12,
  length = LENGTH,
): InvitedSeries {
  const zone = zones.get(zoneName)
  const starts = seriesStarts(firstAt, { every, count }, zone)
  const meetings = starts.map((startsAt) => ({ startsAt, endsAt: startsAt + length }))
  return { every, firstAt, length, zone, meetings }
}

/** The times that a calendar finds, with the definition of the zone in the text itself, and nothing else. */
function expand(ics: string): [number, number][] {
  const calendar = new ICAL.Component(ICAL.parse(ics))
  const zone = calendar.getFirstSubcomponent('vtimezone')
  assert.ok(zone)
  const own = new ICAL.Timezone(zone)
  const instant = (time: ICAL.Time) =>
    time.zone.tzid === 'UTC' ? time.toUnixTime() * 1000 : zonedInstant(time, own)
  const components = calendar.getAllSubcomponents('vevent')
  const [master, ...exceptions] = components.map((component) => new ICAL.Event(component))
  assert.ok(master)
  for (const exception of exceptions) master.relateException(exception)
  const found: [number, number][] = []
  const iterator = master.iterator()
  for (let next = iterator.next(); next; next = iterator.next()) {
    const { startDate, endDate } = master.getOccurrenceDetails(next)
    found.push([instant(startDate), instant(endDate)])
  }
  return found.sort(([a], [b]) => a - b)
}

function zonedInstant(time: ICAL.Time, zone: ICAL.Timezone): number {
  const copy = time.clone()
  copy.zone = zone
  return copy.toUnixTime() * 1000
}

const timesOf = ({ meetings }: InvitedSeries) =>
  meetings
    .flatMap((times): [number, number][] => (times ? [[times.startsAt, times.endsAt]] : []))
    .sort(([a], [b]) => a - b)

describe('the event of a series', () => {
  it('expands to the booked times in twenty zones, across every change of clocks', () => {
    for (const name of TWENTY_ZONES) {
      for (const [every, count] of [
        ['week', 52],
        ['2 weeks', 26],
        ['month', 12],
      ] as const) {
        for (const hour of [1, 9, 23]) {
          // Fridays, which are days of changes in some zones, and the fifth of their month.
          const series = seriesOf(Date.UTC(2027, 0, 29, hour, 30), name, every, count)
          const { ics, method } = writeSeries('REQUEST', meeting, series)
          assert.equal(method, 'REQUEST')
          assert.deepEqual(expand(ics), timesOf(series), `${name} ${every} ${hour}`)
        }
      }
    }
  })

  it('has DTSTART in its zone, RRULE with COUNT, and a definition of the zone', () => {
    const { ics } = writeSeries('REQUEST', meeting, seriesOf(Date.UTC(2027, 0, 11, 9), 'Europe/Berlin'))
    assert.match(ics, /\r\nMETHOD:REQUEST\r\n/)
    assert.match(ics, /\r\nBEGIN:VTIMEZONE\r\nTZID:Europe\/Berlin\r\n/)
    assert.match(ics, /\r\nDTSTART;TZID=Europe\/Berlin:20270111T100000\r\n/)
    assert.match(ics, /\r\nRRULE:FREQ=WEEKLY;COUNT=12;INTERVAL=1;BYDAY=MO\r\n/)
    assert.match(ics, /\r\nSEQUENCE:3\r\n/)
    assert.doesNotMatch(ics, /EXDATE|RECURRENCE-ID/)
  })

  it('names the last weekday of the month for a fifth', () => {
    const series = seriesOf(Date.UTC(2027, 0, 29, 9), 'UTC', 'month', 3)
    assert.match(
      writeSeries('REQUEST', meeting, series).ics,
      /RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=FR;BYSETPOS=-1/,
    )
  })

  it('is shortened by meetings that are cancelled at its end', () => {
    const series = seriesOf(Date.UTC(2027, 0, 11, 9), 'Europe/Berlin')
    const shorter = { ...series, meetings: series.meetings.map((times, i) => (i < 5 ? times : undefined)) }
    const { ics } = writeSeries('REQUEST', meeting, shorter)
    assert.match(ics, /RRULE:FREQ=WEEKLY;COUNT=5;/)
    assert.deepEqual(expand(ics), timesOf(shorter))
  })

  it('leaves out meetings that were cancelled alone, and has moved ones where they are', () => {
    const series = seriesOf(Date.UTC(2027, 2, 15, 9), 'Europe/Berlin')
    const meetings = series.meetings.map((times, i) => {
      if (i === 2) return undefined
      if (times === undefined || i !== 4) return times
      return { startsAt: times.startsAt + DAY + HOUR, endsAt: times.endsAt + DAY + HOUR }
    })
    const changed = { ...series, meetings }
    const { ics } = writeSeries('REQUEST', meeting, changed)
    assert.equal([...ics.matchAll(/\r\nEXDATE;TZID=Europe\/Berlin:20270329T100000\r\n/g)].length, 1)
    assert.match(ics, /\r\nRECURRENCE-ID;TZID=Europe\/Berlin:20270412T100000\r\n/)
    assert.deepEqual(expand(ics), timesOf(changed))
  })

  it('is cancelled when no meeting is left', () => {
    const series = seriesOf(Date.UTC(2027, 0, 11, 9), 'Europe/Berlin')
    const none = { ...series, meetings: series.meetings.map(() => undefined) }
    const { ics, method } = writeSeries('REQUEST', meeting, none)
    assert.equal(method, 'CANCEL')
    assert.match(ics, /METHOD:CANCEL[\s\S]*STATUS:CANCELLED/)
  })

  it('is exact where a wall time is skipped or comes twice', () => {
    // 02:30 does not exist in Berlin on 28 March 2027, and exists twice on 31 October.
    const skipped = seriesOf(Date.UTC(2027, 2, 14, 1, 30), 'Europe/Berlin', 'week', 4)
    assert.notEqual(
      wallTimeOf(skipped.zone, skipped.meetings[2]?.startsAt ?? 0).minutes,
      wallTimeOf(skipped.zone, skipped.firstAt).minutes,
    )
    assert.deepEqual(expand(writeSeries('REQUEST', meeting, skipped).ics), timesOf(skipped))
    const second = seriesOf(Date.UTC(2027, 9, 31, 1, 30), 'Europe/Berlin', 'week', 3)
    assert.deepEqual(expand(writeSeries('REQUEST', meeting, second).ics), timesOf(second))
    const twice = seriesOf(Date.UTC(2027, 9, 17, 0, 30), 'Europe/Berlin', 'week', 4)
    assert.deepEqual(expand(writeSeries('REQUEST', meeting, twice).ics), timesOf(twice))
    const over = seriesOf(Date.UTC(2027, 9, 23, 23), 'Europe/Berlin', 'week', 3, 3 * HOUR)
    assert.deepEqual(expand(writeSeries('REQUEST', meeting, over).ics), timesOf(over))
  })
})

describe('a change to one meeting of a series', () => {
  const series = seriesOf(Date.UTC(2027, 0, 11, 9), 'Europe/Berlin')
  const startsAt = Date.UTC(2027, 0, 19, 13)

  it('names it by RECURRENCE-ID', () => {
    const moved = { ...meeting, startsAt, endsAt: startsAt + LENGTH }
    const { ics, method } = writeMeetingOfSeries('REQUEST', moved, series, 1)
    assert.equal(method, 'REQUEST')
    assert.match(ics, /\r\nRECURRENCE-ID;TZID=Europe\/Berlin:20270118T100000\r\n/)
    assert.match(ics, /\r\nDTSTART;TZID=Europe\/Berlin:20270119T140000\r\n/)
    assert.match(ics, /\r\nUID:series@punctual\r\n/)
    assert.doesNotMatch(ics, /RRULE/)
  })

  it('cancels it alone', () => {
    const { ics } = writeMeetingOfSeries(
      'CANCEL',
      { ...meeting, startsAt, endsAt: startsAt + LENGTH },
      series,
      1,
    )
    assert.match(ics, /\r\nMETHOD:CANCEL\r\n/)
    assert.match(ics, /\r\nSTATUS:CANCELLED\r\n/)
    assert.match(ics, /\r\nRECURRENCE-ID;TZID=Europe\/Berlin:20270118T100000\r\n/)
    assert.doesNotMatch(ics, /RRULE/)
  })
})
