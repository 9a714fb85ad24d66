import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bookAt } from '../bookings.ts'
import { addEventType, addUser, contextOn } from '../kit.ts'
import { alwaysOpen, FUTURE_MIDNIGHT, freshHome, type Home, startServer } from '../server-process.ts'

const DAY = 86_400_000

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`retention on ${engine}`, () => {
    let home: Home
    before(async () => {
      home = await freshHome(engine)
    })
    after(() => home?.remove())

    it('deletes what is older than the settings allow, and never a booking', async () => {
      const { context } = contextOn(home.db)
      const ada = await addUser(home.db, 'ada', alwaysOpen)
      const { booking } = await bookAt(context, ada, await addEventType(home.db, ada), FUTURE_MIDNIGHT)
      const ago = Date.now() - 2 * DAY
      const startsAt = Date.now() - 5000 * DAY
      const longAgo = { starts_at: startsAt, ends_at: startsAt + 1, created_at: startsAt }
      await home.db.updateTable('bookings').set(longAgo).where('id', '=', booking.id).execute()
      const dead = {
        kind: 'mail',
        lane: null,
        data: '{}',
        due_at: ago,
        failed_at: ago,
        created_at: ago,
      } as const
      await home.db.insertInto('outbox').values(dead).execute()
      const mail = join(home.dataDir, 'mail')
      await mkdir(mail, { recursive: true })
      const file = `${ago}-${randomUUID()}.eml`
      await writeFile(join(mail, file), '')

      const server = await startServer(home, {
        KEEP_DEAD_JOBS_DAYS: '1',
        KEEP_MAIL_FILES_DAYS: '1',
      })
      const deadJobs = () =>
        home.db.selectFrom('outbox').where('failed_at', 'is not', null).selectAll().execute()
      while ((await deadJobs()).length > 0 || (await readdir(mail)).includes(file)) await sleep(10)
      server.send('SIGTERM')
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      assert.equal((await home.db.selectFrom('bookings').selectAll().execute()).length, 1)
      assert.equal((await home.db.selectFrom('claims').selectAll().execute()).length, 1)
    })
  })
}
