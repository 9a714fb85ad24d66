import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { meetingTime } from './meeting-time.ts'

const MINUTE = 60_000
const HALF = 30 * MINUTE

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'UTC',
]

/** Hours and minutes on a 24-hour clock, by Temporal and not by us. */
const wallClock = (at: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)

describe('meetingTime', () => {
  it('is on the reader’s clock, also on both sides of a change of clocks', () => {
    // In Berlin, 2027-03-28 has no hour from two to three; in New York, 2027-11-07 has one twice.
    const night = Date.UTC(2027, 2, 28, 0, 30)
    assert.equal(meetingTime(night, night + HALF, 'Europe/Berlin', 'de').time, '01:30 – 03:00')
    assert.equal(meetingTime(night, night + HALF, 'America/New_York', 'en').time, '8:30 PM – 9:00 PM')
    const twice = Date.UTC(2027, 10, 7, 5, 30)
    assert.equal(meetingTime(twice, twice + HALF, 'America/New_York', 'en').time, '1:30 AM – 1:00 AM')
    assert.match(meetingTime(twice, twice + HALF, 'America/New_York', 'en').zone, /^Eastern Daylight Time/)
    assert.match(
      meetingTime(twice + HALF, twice + 2 * HALF, 'America/New_York', 'en').zone,
      /^Eastern Standard/,
    )
  })

  it('agrees with Temporal in every zone, at any time', () => {
    const instant = fc
      .integer({ min: Date.UTC(2026, 0, 1) / MINUTE, max: Date.UTC(2031, 0, 1) / MINUTE })
      .map((minutes) => minutes * MINUTE)
    fc.assert(
      fc.property(instant, fc.constantFrom(...ZONES), (at, zone) => {
        const [from, to] = [at, at + HALF].map((each) => wallClock(each, zone))
        assert.ok(from && to)
        const clock = (wall: Temporal.ZonedDateTime) =>
          wall.toPlainTime().toString({ smallestUnit: 'minute' })
        const { date, time } = meetingTime(at, at + HALF, zone, 'de')
        assert.ok(time.startsWith(`${clock(from)} – `), time)
        assert.ok(time.endsWith(clock(to)), time)
        assert.ok(date.includes(` ${from.day}. `) && date.endsWith(String(from.year)), date)
        // An end on another day shows the day.
        assert.equal(
          time.includes('tag,') || time.includes('och,'),
          !from.toPlainDate().equals(to.toPlainDate()),
        )
      }),
    )
  })

  it('is written as the language and its country do', () => {
    const at = Date.UTC(2027, 0, 11, 14, 5)
    const shown = (tag: string) => {
      const { date, time } = meetingTime(at, at + HALF, 'UTC', tag)
      // Where commas go differs from one edition of the Unicode data to the next.
      return [date.replaceAll(',', ''), time]
    }
    assert.deepEqual(shown('en'), ['Monday January 11 2027', '2:05 PM – 2:35 PM'])
    assert.deepEqual(shown('en-GB'), ['Monday 11 January 2027', '14:05 – 14:35'])
    assert.deepEqual(shown('de'), ['Montag 11. Januar 2027', '14:05 – 14:35'])
    assert.deepEqual(shown('es'), ['lunes 11 de enero de 2027', '14:05 – 14:35'])
    assert.deepEqual(shown('fr'), ['lundi 11 janvier 2027', '14:05 – 14:35'])
    assert.deepEqual(shown('pt-BR'), ['segunda-feira 11 de janeiro de 2027', '14:05 – 14:35'])
    assert.deepEqual(shown('ja'), ['2027年1月11日月曜日', '14:05 – 14:35'])
  })

  it('names the zone as people do, with its city', () => {
    const at = Date.UTC(2027, 6, 1)
    assert.equal(meetingTime(at, at, 'Europe/Berlin', 'en').zone, 'Central European Summer Time (Berlin)')
    assert.equal(meetingTime(at, at, 'Asia/Tokyo', 'ja').zone, '日本標準時 (東京)')
    assert.equal(meetingTime(at, at, 'Etc/GMT+5', 'en').zone, 'GMT-05:00')
  })
})
