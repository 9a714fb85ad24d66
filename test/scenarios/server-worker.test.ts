import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cancel } from '../../src/services/bookings/cancel.ts'
import type { EngineName } from '../../src/store/engine/engine.ts'
import { bookAt, changesOf } from '../bookings.ts'
import { addEventType, addUser, contextOn } from '../kit.ts'
import { alwaysOpen, FUTURE_MIDNIGHT, freshHome, type Home, startServer } from '../server-process.ts'

for (const engine of ['sqlite', 'postgres'] as const satisfies readonly EngineName[]) {
  describe(`the server’s own worker on ${engine}`, () => {
    let home: Home
    before(async () => {
      home = await freshHome(engine)
    })
    after(() => home.remove())

    it('runs the jobs of an earlier process, and stops cleanly', async () => {
      const { context } = contextOn(home.db)
      const ada = await addUser(home.db, 'ada', alwaysOpen)
      const listed = await bookAt(context, ada, await addEventType(home.db, ada), FUTURE_MIDNIGHT)
      await cancel(context, { by: 'guest' }, listed, { reason: '' })
      assert.equal((await changesOf(home.db, listed.booking.id)).length, 1)
      const server = await startServer(home)
      while ((await changesOf(home.db, listed.booking.id)).length > 0) await sleep(10)
      server.send('SIGTERM')
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      assert.doesNotMatch(server.output(), /"level":(?:40|50|60)/)
    })

    it('completes meetings that have ended, and declines unanswered requests', async () => {
      const { context } = contextOn(home.db)
      const bob = await addUser(home.db, 'bob', alwaysOpen)
      const ended = await bookAt(context, bob, await addEventType(home.db, bob), FUTURE_MIDNIGHT)
      const asked = await addEventType(home.db, bob, { requiresApproval: true })
      const request = await bookAt(context, bob, asked, FUTURE_MIDNIGHT + 3_600_000)
      const ago = { starts_at: Date.now() - 7_200_000, ends_at: Date.now() - 3_600_000 }
      await home.db.updateTable('bookings').set(ago).where('id', '=', ended.booking.id).execute()
      const soon = { starts_at: Date.now() + 60_000, created_at: Date.now() - 3_600_000 }
      await home.db.updateTable('bookings').set(soon).where('id', '=', request.booking.id).execute()
      const server = await startServer(home)
      const status = async (id: string) =>
        (await home.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirst())
          ?.status
      while ((await status(ended.booking.id)) !== 'Completed') await sleep(10)
      while ((await status(request.booking.id)) !== 'Declined') await sleep(10)
      server.send('SIGTERM')
      await server.exited
    })
  })
}
