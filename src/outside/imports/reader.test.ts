import assert from 'node:assert/strict'
import { it } from 'node:test'
import { asDump } from '../../../test/imports/dumps.ts'
import { seededSource } from '../../../test/imports/seeded-source.ts'
import { startCalcomApi } from '../../../test/outside/calcom-api.ts'
import { CALENDLY_NOW, startCalendlyApi } from '../../../test/outside/calendly-api.ts'
import { createGuard } from '../network/guard.ts'
import { readSource, type SourceOptions } from './reader.ts'

const options = { guard: createGuard({ allowPrivate: true }), now: () => CALENDLY_NOW }

it('reads each source with its reader', async (test) => {
  const [calcom, calendly] = await Promise.all([
    startCalcomApi({ organization: false, bookings: 1 }),
    startCalendlyApi({ admin: false, events: 1 }),
  ])
  test.after(() => Promise.all([calcom.close(), calendly.close()]))
  const rows = seededSource({ bookings: 0 })
  const idsIn = async (from: SourceOptions) => {
    const all = await Array.fromAsync(readSource(from, options))
    return all.flatMap((one) => ('row' in one && one.table === 'users' ? [one.row.id] : []))
  }
  async function* dump() {
    yield Buffer.from(asDump(rows, { style: 'copy' }))
  }
  assert.equal((await idsIn({ source: 'calcom', dump: dump() })).length, 40)
  assert.deepEqual(await idsIn({ source: 'calcom', api: `${calcom.url}/v2/`, token: calcom.token }), [1, 2])
  assert.deepEqual(await idsIn({ source: 'calendly', api: calendly.url, token: calendly.token }), ['ME'])
  await assert.rejects(idsIn({ source: 'calcom', database: 'nowhere' }), /not the address/)
})
