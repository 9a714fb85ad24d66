import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Instance, startInstance } from '../../test/command-line.ts'
import { addEventType, addUser, MONDAY_NOON } from '../../test/kit.ts'
import { addBooking, fillEveryTable, rowsOf } from '../../test/rows.ts'
import type { EngineName } from '../store/engine/engine.ts'

const HALF_HOUR = 30 * 60_000

for (const engine of ['sqlite', 'postgres'] as const) {
  const other: EngineName = engine === 'sqlite' ? 'postgres' : 'sqlite'

  describe(`the command line’s backups on ${engine}`, () => {
    let here: Instance
    before(async () => {
      here = await startInstance(engine)
      await here.do('user', 'create', '--email', 'ada@hosts.example')
    })
    after(() => here?.end())

    it('seeds a new database with the demo workspace, and no other', async () => {
      assert.match(await here.refused('seed'), /not empty/)
      const fresh = await startInstance(engine)
      try {
        assert.equal(await fresh.do('seed'), '')
        assert.match(await fresh.do('user', 'list'), /demo@example\.com\tdemo\n/)
        assert.match(await fresh.refused('seed'), /not empty/)
        const { audit = [] } = await rowsOf(fresh.db())
        assert.deepEqual(
          audit.map(({ actor }) => actor),
          ['command line'],
        )
      } finally {
        await fresh.end()
      }
    })

    it('carries a backup over to the other engine and back, and keeps the file to its owner', async () => {
      const [from, across, back] = [
        await startInstance(engine),
        await startInstance(other),
        await startInstance(engine),
      ]
      try {
        await from.do('migrate')
        await fillEveryTable(from.db())
        const rows = await rowsOf(from.db())
        const count = `${Object.values(rows).flat().length}\n`
        const file = join(from.folder, 'backup.jsonl.gz')
        await writeFile(file, 'an older backup')
        assert.equal(await from.do('backup', file), '')
        assert.equal((await stat(file)).mode & 0o777, 0o600)
        assert.deepEqual((await readdir(from.folder)).sort(), [
          'backup.jsonl.gz',
          ...(engine === 'sqlite' ? ['data'] : []),
        ])

        assert.equal(await across.do('restore', file), count)
        assert.deepEqual(await rowsOf(across.db()), rows)
        const again = join(from.folder, 'again.jsonl.gz')
        await across.do('backup', again)
        assert.equal(await back.do('restore', again), count)
        assert.deepEqual(await rowsOf(back.db()), rows)

        assert.match(await back.refused('restore', again), /not empty/)
        assert.deepEqual(await rowsOf(back.db()), rows)
      } finally {
        await Promise.all([from.end(), across.end(), back.end()])
      }
    })

    it('keeps tokens and links working when it moves with its own secret to the other engine', async () => {
      const [from, across] = [
        await startInstance(engine, { JWT_SECRET: '' }),
        await startInstance(other, { JWT_SECRET: '' }),
      ]
      try {
        await from.do('user', 'create', '--email', 'ada@hosts.example')
        const file = join(from.folder, 'backup.jsonl.gz')
        await from.do('backup', file)
        await across.do('restore', file)
        const secrets = async (instance: Instance) => {
          await instance.do('token', 'create', '--email', 'ada@hosts.example')
          return (await rowsOf(instance.db())).secrets
        }
        assert.equal((await secrets(from))?.length, 1)
        assert.deepEqual(await secrets(across), await secrets(from))
      } finally {
        await Promise.all([from.end(), across.end()])
      }
    })

    it('refuses a backup that is cut off, changed, missing or something else, and writes nothing', async () => {
      const target = await startInstance(engine)
      try {
        const file = join(here.folder, 'whole.jsonl.gz')
        await here.do('backup', file)
        const bytes = await readFile(file)
        const flipped = Buffer.from(bytes)
        flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] as number) ^ 1
        const damaged = [
          bytes.subarray(0, bytes.length - 1),
          bytes.subarray(0, 200),
          flipped,
          Buffer.from('text'),
          Buffer.alloc(0),
        ]
        for (const [index, content] of damaged.entries()) {
          const path = join(target.folder, `${index}.gz`)
          await writeFile(path, content)
          assert.match(await target.refused('restore', path), /damaged|not a backup/)
        }
        assert.match(await target.refused('restore', join(target.folder, 'none.gz')), /ENOENT/)
        assert.deepEqual(await target.db().introspection.getTables(), [])
        await target.do('restore', file)
        assert.deepEqual(await rowsOf(target.db()), await rowsOf(here.db()))
      } finally {
        await target.end()
      }
    })

    it('leaves neither half a backup nor a changed one behind when it cannot write it', async () => {
      const missing = join(here.folder, 'no', 'such', 'folder', 'backup.gz')
      assert.match(await here.refused('backup', missing), /ENOENT/)
      const empty = await startInstance(engine)
      try {
        const file = join(empty.folder, 'backup.gz')
        await writeFile(file, 'an older backup')
        assert.match(await empty.refused('backup', file), /nothing to back up/)
        assert.equal(await readFile(file, 'utf8'), 'an older backup')
        assert.deepEqual(
          (await readdir(empty.folder)).filter((name) => name.includes('partial')),
          [],
        )
      } finally {
        await empty.end()
      }
    })

    it('backs up one moment while bookings go on', async () => {
      const [busy, target] = [await startInstance(engine), await startInstance(engine)]
      try {
        await busy.do('migrate')
        const eventType = await addEventType(busy.db(), await addUser(busy.db(), 'busy'))
        const file = join(busy.folder, 'backup.gz')
        let booked = 0
        const bookNext = () => addBooking(busy.db(), eventType, MONDAY_NOON + booked++ * HALF_HOUR)
        await bookNext()
        let running = true
        const backup = busy.do('backup', file).finally(() => {
          running = false
        })
        while (running) {
          await bookNext()
          // SQLite answers synchronously, so the end of the backup would never be noticed.
          await nextTurn()
        }
        await backup
        await bookNext()

        await target.do('restore', file)
        const { bookings = [], claims = [] } = await rowsOf(target.db())
        const meetings = (rows: typeof claims) => rows.map((row) => row.meeting_id).sort()
        assert.deepEqual(meetings(bookings), meetings(claims))
        assert.ok(bookings.length > 0 && bookings.length < booked)
      } finally {
        await Promise.all([busy.end(), target.end()])
      }
    })
  })
}
