import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  type AppUnderTest,
  addEventType,
  addUser,
  appOn,
  MONDAY_NOON,
  openGuard,
  stoppedClock,
} from '../../../test/kit.ts'
import { HOUR } from '../../domain/interval.ts'
import { insertImport } from '../../store/imports/imports.ts'
import { insertRows } from '../../store/imports/rows.ts'
import { newId } from '../../store/new-id.ts'
import { compareImport, hasUnexplained, printComparison } from './compare.ts'

onEveryDatabase('comparing an import', ({ db }) => {
  const clock = stoppedClock()
  const importId = newId()
  let under: AppUnderTest
  let old: Server
  let address = ''
  /** What the old system lists, and how it was asked. */
  const asked: string[] = []
  let isOlder = false
  let starts: number[] = []

  before(async () => {
    under = await appOn(db(), { now: clock.now, guard: openGuard })
    old = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://old')
      asked.push(url.pathname)
      const isKnown = url.pathname === (isOlder ? '/slots/available' : '/v2/slots')
      const slots = Object.fromEntries([
        ['2027-01-12', starts.map((at) => ({ [isOlder ? 'time' : 'start']: new Date(at).toISOString() }))],
      ])
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isOlder ? { data: { slots } } : { status: 'success', data: slots }))
    })
    await new Promise<void>((done) => old.listen(0, '127.0.0.1', done))
    address = `http://127.0.0.1:${(old.address() as AddressInfo).port}`
    const user = await addUser(db(), 'demi')
    const talk = await addEventType(db(), user, { slug: 'talk', durationMinutes: 60, intervalMinutes: 60 })
    await insertImport(db(), {
      id: importId,
      source: 'calcom',
      createdBy: null,
      createdAt: 0,
      leasedUntil: null,
      total: 0,
    })
    await insertRows(db(), importId, 0, [
      { table: 'users', row: { id: 1, email: 'demi@there.example', timeZone: 'UTC', defaultScheduleId: 3 } },
      { table: 'Schedule', row: { id: 3, userId: 1, name: 'Hours', timeZone: 'UTC' } },
      {
        table: 'Availability',
        row: { id: 4, scheduleId: 3, days: [1, 2, 3, 4, 5], startTime: '09:00', endTime: '17:00' },
      },
      { table: 'EventType', row: { id: 9, userId: 1, slug: 'talk', length: 60, minimumBookingNotice: 0 } },
    ])
    await db()
      .insertInto('import_objects')
      .values({
        source: 'calcom',
        source_key: 'EventType/9',
        kind: 'event-type',
        object_id: talk.id,
        made: 1,
        content_hash: '',
        row_hash: '',
        import_id: importId,
        last_import_id: importId,
      })
      .execute()
  })
  after(async () => {
    await under.app.close()
    old.closeAllConnections()
    await new Promise((done) => old.close(done))
  })

  const tuesday = MONDAY_NOON + 12 * HOUR
  const hours = (...all: number[]) => all.map((hour) => tuesday + hour * HOUR)

  it('finds nothing where both offer the same', async () => {
    const compared = await compareImport(under.context, importId, { days: 60 })
    assert.deepEqual(compared, { differences: [] })
    assert.deepEqual(printComparison(compared), ['Both offer the same slots.'])
  })

  for (const older of [false, true]) {
    it(`asks the old system${older ? ' as older versions answer' : ''}, and says what nobody can explain`, async () => {
      isOlder = older
      asked.length = 0
      clock.moveTo(tuesday - HOUR / 2)
      starts = [...hours(9, 10, 11, 12, 13, 14, 15, 16), tuesday + 20 * HOUR]
      const compared = await compareImport(under.context, importId, { against: address, days: 2 })
      const listed = compared.differences.filter(({ startTime }) => startTime.startsWith('2027-01-12'))
      assert.deepEqual(listed, [
        {
          eventType: 'demi/talk',
          startTime: '2027-01-12T20:00:00Z',
          here: false,
          there: true,
          reason: 'unexplained',
        },
      ])
      assert.ok(hasUnexplained(compared))
      assert.deepEqual(asked, older ? ['/v2/slots', '/slots/available'] : ['/v2/slots'])
      clock.moveTo(MONDAY_NOON)
    })
  }

  it('refuses what it cannot compare', async () => {
    await assert.rejects(compareImport(under.context, newId()), /There is no such import/)
    await assert.rejects(compareImport(under.context, importId, { days: 91 }), /1 to 90/)
  })
})
