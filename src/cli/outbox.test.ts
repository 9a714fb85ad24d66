import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Instance, startInstance } from '../../test/command-line.ts'
import { MONDAY_NOON } from '../../test/kit.ts'
import { verbatim } from '../domain/sentence.ts'
import { insertJobs, markJobDead, takeJobs } from '../store/outbox.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the command line’s outbox on ${engine}`, () => {
    let here: Instance
    let ids: number[]
    before(async () => {
      here = await startInstance(engine)
      await here.do('migrate')
      const job = { kind: 'mail', lane: null, data: { to: 'a@b.example' }, dueAt: MONDAY_NOON } as const
      await here
        .db()
        .transaction()
        .execute((trx) => insertJobs(trx, [job, job, job, job], MONDAY_NOON))
      const options = {
        kind: 'mail',
        limit: 3,
        now: MONDAY_NOON,
        lease: 1000,
        without: [],
      } as const
      const taken = await takeJobs(here.db(), options)
      ids = taken.map(({ id }) => id)
      for (const each of taken) await markJobDead(here.db(), each, MONDAY_NOON, verbatim('no such\nmailbox'))
    })
    after(() => here?.end())

    const dead = async () => (await here.do('outbox', 'list')).split('\n').filter((line) => line !== '')

    it('lists dead jobs only', async () => {
      assert.deepEqual(
        await dead(),
        ids.map((id) => `${id}\tmail\t${new Date(MONDAY_NOON).toISOString()}\t1\tno such mailbox`),
      )
      const [first = ''] = (await here.do('outbox', 'list', '--json')).split('\n')
      const { id, kind, data, error } = JSON.parse(first)
      assert.deepEqual(
        { id, kind, data, error },
        {
          id: ids[0],
          kind: 'mail',
          data: { to: 'a@b.example' },
          error: 'no such\nmailbox',
        },
      )
    })

    it('retries one job or all', async () => {
      assert.equal(await here.do('outbox', 'retry', String(ids[0])), '1\n')
      assert.equal((await dead()).length, 2)
      assert.match(await here.refused('outbox', 'retry', String(ids[0])), /No job/)
      assert.equal(await here.do('outbox', 'retry', '--all'), '2\n')
      assert.deepEqual(await dead(), [])
      const due = await here.db().selectFrom('outbox').selectAll().execute()
      assert.equal(due.length, 4)
      for (const job of due) {
        assert.deepEqual([job.attempts, job.failed_at, job.error, job.leased_until], [0, null, '', null])
      }
    })

    it('asks for one of the two, and explains itself', async () => {
      for (const args of [['retry'], ['retry', '1', '--all'], ['retry', 'x'], ['retry', '1', '2'], []]) {
        assert.equal((await here.run('outbox', ...args)).code, 2, args.join(' '))
      }
      assert.match(await here.do('outbox', 'retry', '--help'), /outbox retry \[--all\] \[ID\]/)
      assert.match(await here.do('outbox', '--help'), /outbox list[\s\S]*outbox retry/)
    })
  })
}
