import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { openGuard } from '../../../test/kit.ts'
import { Zones } from '../../domain/zone.ts'
import { discoverCalendars } from './caldav/caldav.ts'
import { ServerFailure } from './calendar-server.ts'
import { readBusyApart, readEntriesApart } from './reading-threads.ts'

const multistatus = (inner: string) =>
  `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${inner}</d:multistatus>`

/** Lets the loop run, and counts its turns, until the promise is settled. */
async function turnsUntil(settled: Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const note = () => {
    over = true
  }
  settled.then(note, note)
  while (!over) {
    await new Promise(setImmediate)
    turns++
  }
  return turns
}

/** A CalDAV server that answers everything like this. */
async function hostile(t: TestContext, body: string) {
  const server = createServer((_request, response) => response.writeHead(207).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const mallory = { guard: openGuard, owner: 'mallory', username: 'mallory', password: 'x' }

const refuses = (attempt: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(attempt, (error: Error) => {
    assert.ok(error instanceof ServerFailure, String(error))
    assert.match(error.message, sentence)
    return true
  })

const question = {
  span: { start: 0, end: 1e15 },
  timeZone: 'UTC',
  own: [],
  addresses: [],
  tentative: 'busy' as const,
}
const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
/** A zone whose rule never finds a date, which takes long to search for. `rule` is how its name is spelled. */
const endless = (rule: string) =>
  calendar(
    'BEGIN:VTIMEZONE',
    'TZID:Nowhere',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0000',
    'TZOFFSETTO:+0100',
    `${rule}:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30`,
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'UID:2',
    'DTSTART;TZID=Nowhere:20270112T090000',
    'END:VEVENT',
  )

describe('a hostile calendar server', () => {
  it('does not stop the loop with a long description of its calendars', async () => {
    const entry = '<d:response><d:propstat><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>'
    // A busy machine may need longer than a server gets to load the thread's code.
    const reading = readEntriesApart('mallory', multistatus(entry.repeat(4000)), 300_000)
    // Parsed on the loop, it would be settled after the first turn.
    assert.ok((await turnsUntil(reading)) > 10)
    assert.equal((await reading).length, 4000)
  })

  it('is told that its response is too large, too deep, or not CalDAV', async (t) => {
    const responses: readonly [string, RegExp][] = [
      [multistatus(' '.repeat(1 << 20)), /^The response is larger than 1 MB\.$/],
      [multistatus(`${'<a>'.repeat(65)}${'</a>'.repeat(65)}`), /too complex/],
      [multistatus(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`), /too complex/],
      [`<!DOCTYPE a [<!ENTITY b "b">]>${multistatus('&b;')}`, /no CalDAV server/],
    ]
    for (const [body, sentence] of responses) {
      await refuses(discoverCalendars(mallory, await hostile(t, body)), sentence)
    }
  })

  it('does not stop the loop with a rule that never ends, however its name is written', async () => {
    for (const rule of ['RRULE', 'rrule', 'R\r\n RULE', 'RR\r\n\tULE']) {
      const reading = readBusyApart(
        'mallory',
        { body: endless(rule), format: 'ics', question },
        new Zones(),
        500,
      )
      const turns = await turnsUntil(reading)
      assert.ok(turns > 10, `${turns} turns`)
      await reading.catch((error) => assert.match(error.message, /takes too long/))
    }
  })
})
