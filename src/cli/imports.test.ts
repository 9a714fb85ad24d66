import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ONE_LINE, runHere } from '../../test/command-line.ts'
import { DATABASE_FOLDER } from '../../test/databases.ts'
import { asDump, seededSource } from '../../test/imports/seeded-source.ts'
import { tellCounts } from '../domain/imports/count.ts'
import { say } from '../domain/sentence.ts'
import { openDatabase } from '../store/engine/open-database.ts'

const SECRET = 'hush-7f3a91'

describe('moving in on the command line', () => {
  let folder: string
  let environment: Record<string, string>
  let file: string
  before(async () => {
    folder = await mkdtemp(join(DATABASE_FOLDER, 'punctual-imports-'))
    environment = { DATA_DIR: join(folder, 'data') }
    file = join(folder, 'dump.sql')
    await writeFile(file, asDump(seededSource({ bookings: 30, now: Date.now() }), { style: 'insert' }))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const json = (stdout: string) => JSON.parse(stdout)

  it('shows a plan with exit code 2, applies it, has nothing to do then, and undoes it', async () => {
    const planned = await runHere(['import', 'calcom', '--dump', file, '--json'], environment)
    assert.equal(planned.code, 2, planned.stderr)
    for (const step of ['Reading', 'Planning'])
      assert.match(planned.stderr, new RegExp(`^${step}: 100 %$`, 'm'))
    const { id, counts, lines, choices } = json(planned.stdout)
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.ok(counts.users.new > 30 && Array.isArray(choices))
    assert.deepEqual(Object.keys(lines[0]), ['state', 'table', 'id', 'name', 'sentence'])

    const applied = await runHere(['import', 'calcom', '--dump', file, '--yes'], environment)
    assert.equal(applied.code, 0, applied.stderr)
    assert.match(applied.stdout, /^[0-9a-f-]{36} applied\n/)
    assert.match(applied.stdout, /^People: \d+ as they are, \d+ changed\.$/m)
    // Bookings were planned only as they were made, and are told of as they had been planned before.
    for (const line of tellCounts(counts)) assert.ok(applied.stdout.includes(`\n${say(line)}\n`), say(line))
    assert.match(applied.stdout, /^left-out\tBooking\/\d+\t/m)
    assert.match(applied.stderr, /^Applying: 100 %$/m)

    const moved = applied.stdout.slice(0, 36)
    const same = await runHere(['import', 'compare', moved, '--days', '7'], environment)
    assert.equal(same.code, 0, same.stdout)
    assert.match(same.stdout, /^person-6\/buffered: only here, starts are moved by an offset there: \d+$/m)
    // What is closed here, and open there, is explained by nothing.
    const db = openDatabase(join(environment.DATA_DIR as string, 'punctual.sqlite'))
    await db.updateTable('schedules').set({ weekly: '{}' }).execute()
    await db.destroy()
    const differs = await runHere(['import', 'compare', moved, '--days', '7', '--json'], environment)
    assert.equal(differs.code, 2, differs.stderr)
    const reasons = json(differs.stdout).differences.map(({ reason }: { reason: string }) => reason)
    assert.ok(reasons.includes('unexplained'))

    const again = await runHere(['import', 'calcom', '--dump', file], environment)
    assert.equal(again.code, 0, again.stdout)
    // What came over before is compared before anything is applied.
    const repeated = await runHere(['import', 'calcom', '--dump', file, '--yes'], environment)
    assert.equal(repeated.code, 0, repeated.stderr)
    assert.match(repeated.stdout, /^[0-9a-f-]{36} planned\n/)
    const undone = await runHere(['import', 'undo', applied.stdout.slice(0, 36)], environment)
    assert.deepEqual([undone.code, undone.stdout], [0, `${applied.stdout.slice(0, 36)} undone\n`])
    const twice = await runHere(['import', 'undo', applied.stdout.slice(0, 36)], environment)
    assert.deepEqual([twice.code, twice.stdout], [1, ''])
  })

  it('fails in one line with exit code 1, and keeps no address, password or token', async () => {
    const address = `postgres://cal:${SECRET}@127.0.0.1:1/${SECRET}`
    for (const args of [
      ['calcom', '--database', address],
      ['calcom', '--api', 'http://127.0.0.1:1', '--token', SECRET],
    ]) {
      const failed = await runHere(['import', ...args], environment)
      assert.equal(failed.code, 1)
      assert.match(failed.stderr, ONE_LINE)
      assert.equal((failed.stdout + failed.stderr).includes(SECRET), false)
    }
    for (const name of await readdir(environment.DATA_DIR as string)) {
      const content = await readFile(join(environment.DATA_DIR as string, name)).catch(() => Buffer.alloc(0))
      assert.equal(content.includes(SECRET), false, name)
    }
  })

  it('says what is wrong with its arguments, with exit code 1', async () => {
    for (const args of [
      ['calcom'],
      ['calcom', '--dump', file, '--database', 'postgres://there.example'],
      ['calcom', '--api', 'https://api.cal.example'],
      ['calcom', '--dump', file, '--token', 'x'],
      ['calendly'],
      ['undo'],
    ]) {
      const wrong = await runHere(['import', ...args], environment)
      assert.deepEqual([wrong.code, wrong.stdout], [1, ''], args.join(' '))
      assert.match(wrong.stderr, ONE_LINE)
    }
    const missing = await runHere(['import', 'calcom', '--dump', join(folder, 'none')], environment)
    assert.equal(missing.code, 1)
  })
})
