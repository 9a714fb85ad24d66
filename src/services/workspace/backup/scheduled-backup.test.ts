import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { onEveryDatabase, openPatiently } from '../../../../test/databases.ts'
import { addUser, contextOn, MONDAY_NOON, stoppedClock } from '../../../../test/kit.ts'
import { type BackupSchedule, backUpIfDue } from './scheduled-backup.ts'

const HOUR = 3_600_000
const AT_NOON = 'punctual-20270111T120000000Z.jsonl.gz'

onEveryDatabase('scheduled backups', ({ db, url }) => {
  let folder: string
  const clock = stoppedClock()
  const schedule = (given: Partial<BackupSchedule> = {}): BackupSchedule => ({
    every: HOUR,
    folder,
    keep: 3,
    openStore: () => openPatiently(url()),
    signal: new AbortController().signal,
    ...given,
  })
  const contextFor = (database = db()) => contextOn(database, { now: clock.now }).context
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'punctual-backups-')), 'backups')
    await db().deleteFrom('leases').execute()
    clock.moveTo(MONDAY_NOON)
  })
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

  it('are taken when they are due, and not before', async () => {
    await addUser(db(), 'ada')
    const context = contextFor()
    await backUpIfDue(context, schedule())
    assert.deepEqual(await readdir(folder), [AT_NOON])
    assert.equal((await stat(join(folder, AT_NOON))).mode & 0o777, 0o600)
    clock.moveTo(MONDAY_NOON + 1)
    await backUpIfDue(context, schedule())
    assert.deepEqual(await readdir(folder), [AT_NOON])
    await backUpIfDue(context, schedule({ every: 0 }))
    assert.equal((await readdir(folder)).length, 2)
  })

  it('are taken by one instance for all', async () => {
    const other = openPatiently(url())
    try {
      const contexts = [contextFor(), contextFor(other)]
      const folders = [join(folder, 'one'), join(folder, 'two')]
      await Promise.all(
        contexts.flatMap((context, i) =>
          Array.from({ length: 3 }, () => backUpIfDue(context, schedule({ folder: folders[i] as string }))),
        ),
      )
      const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.gz'))
      assert.equal(files.length, 1)
    } finally {
      await other.destroy()
    }
  })

  it('replace the oldest, and leave other files alone', async () => {
    await mkdir(folder)
    const old = [1, 2, 3, 4].map((day) => `punctual-2026010${day}T000000000Z.jsonl.gz`)
    const abandoned = `${old[0]}.1234.partial`
    const fresh = `${old[0]}.5678.partial`
    const others = ['notes.txt', 'punctual-by-hand.jsonl.gz']
    for (const name of [...old, ...others, abandoned, fresh]) await writeFile(join(folder, name), '')
    const dayBefore = MONDAY_NOON / 1000 - 25 * 3600
    await utimes(join(folder, abandoned), dayBefore, dayBefore)
    await utimes(join(folder, fresh), MONDAY_NOON / 1000, MONDAY_NOON / 1000)
    await backUpIfDue(contextFor(), schedule())
    assert.deepEqual((await readdir(folder)).sort(), [...old.slice(2), AT_NOON, ...others, fresh].sort())
  })

  it('leave nothing behind when they are interrupted, and may be taken at once by another instance', async () => {
    const context = contextFor()
    const interruption = new AbortController()
    const openStore = () => {
      interruption.abort()
      return openPatiently(url())
    }
    await backUpIfDue(context, schedule({ openStore, signal: interruption.signal }))
    assert.deepEqual(await readdir(folder), [])
    await backUpIfDue(context, schedule())
    assert.deepEqual(await readdir(folder), [AT_NOON])
  })

  it('report failures, keep older ones, and wait before the next attempt', async () => {
    const context = contextFor()
    await writeFile(folder, 'a file where a folder should be')
    await assert.rejects(backUpIfDue(context, schedule()), /EEXIST|ENOTDIR/)
    await rm(folder)
    await backUpIfDue(context, schedule())
    await assert.rejects(readdir(folder), /ENOENT/)
  })
})
