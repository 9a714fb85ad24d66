import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bookAt } from '../bookings.ts'
import { startInstance } from '../command-line.ts'
import { addEventType, addUser, contextOn } from '../kit.ts'
import { findValue, readSamples } from '../prometheus.ts'
import { rowsOf } from '../rows.ts'
import { alwaysOpen, FUTURE_MIDNIGHT, freshHome, type Home, startServer } from '../server-process.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  const other = engine === 'sqlite' ? 'postgres' : 'sqlite'

  describe(`a backup by schedule on ${engine}`, () => {
    let home: Home
    let folder: string
    before(async () => {
      home = await freshHome(engine)
      folder = await mkdtemp(join(tmpdir(), 'punctual-backups-'))
      const { context } = contextOn(home.db)
      const ada = await addUser(home.db, 'ada', alwaysOpen)
      const eventType = await addEventType(home.db, ada)
      for (let i = 0; i < 5; i++) await bookAt(context, ada, eventType, FUTURE_MIDNIGHT + i * 1_800_000)
    })
    after(async () => {
      await home?.remove()
      await rm(folder, { recursive: true, force: true })
    })
    const settings = () => ({ BACKUP_EVERY: '1h', BACKUP_DIR: folder, METRICS_TOKEN: 'token' })
    const backups = async () => (await readdir(folder)).filter((name) => name.endsWith('.gz'))

    it('brings every booking back, into the other kind of database', async () => {
      const server = await startServer(home, settings())
      while ((await backups()).length === 0) await sleep(10)
      server.send('SIGTERM')
      assert.deepEqual(await server.exited, { code: 0, signal: null })

      const [file = ''] = await backups()
      const elsewhere = await startInstance(other)
      try {
        await elsewhere.do('restore', join(folder, file))
        const [before, restored] = [await rowsOf(home.db), await rowsOf(elsewhere.db())]
        assert.equal(restored.bookings?.length, 5)
        for (const table of ['bookings', 'claims', 'schedulers', 'event_types', 'schedules']) {
          assert.deepEqual(restored[table], before[table], table)
        }
      } finally {
        await elsewhere.end()
      }
    })

    it('is not repeated by the next start before it is due', async () => {
      const server = await startServer(home, settings())
      const read = async () => {
        const headers = { authorization: 'Bearer token' }
        const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers })
        const samples = readSamples(await response.text())
        return findValue(samples, 'punctual_backup_last_success_timestamp_seconds')
      }
      let last: number | undefined
      while (last === undefined) last = await read()
      assert.ok(Math.abs(last - Date.now() / 1000) < 3600)
      server.send('SIGTERM')
      await server.exited
      assert.equal((await backups()).length, 1)
    })
  })
}
