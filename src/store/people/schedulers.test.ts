import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addUser } from '../../../test/kit.ts'
import { untilSomeoneWaits } from '../../../test/standstill.ts'
import { lockHosts } from './schedulers.ts'

onEveryDatabase('hosts', ({ db, engine }) => {
  let ada: string
  let ben: string
  before(async () => {
    ada = (await addUser(db(), 'ada')).id
    ben = (await addUser(db(), 'ben')).id
  })

  const bookingRevisionOf = async (id: string) =>
    (
      await db()
        .selectFrom('schedulers')
        .select('booking_revision')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).booking_revision

  /** A transaction that locks these hosts until it is released. */
  function hold(hostIds: readonly string[]) {
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const ended = db()
      .transaction()
      .execute(async (trx) => {
        await lockHosts(trx, hostIds)
        held.resolve()
        await released.promise
      })
    return { held: Promise.race([held.promise, ended]), release: released.resolve, ended }
  }

  it('makes a second transaction wait for a locked host until the first ends', async () => {
    const events: string[] = []
    const first = hold([ada])
    await first.held
    const second = hold([ben, ada])
    const secondHolds = second.held.then(() => events.push('second holds'))
    if (engine === 'postgres') await untilSomeoneWaits(db())
    events.push('first ends')
    first.release()
    await first.ended
    await secondHolds
    second.release()
    await second.ended
    assert.deepEqual(events, ['first ends', 'second holds'])
  })

  if (engine === 'postgres') {
    it('does not block other hosts', async () => {
      const first = hold([ada])
      await first.held
      const second = hold([ben])
      await second.held
      second.release()
      await second.ended
      first.release()
      await first.ended
    })
  }

  it('never deadlocks', async () => {
    const inOrder = [ada, ben].toSorted()
    const orders = [inOrder, inOrder.toReversed()]
    const before = await bookingRevisionOf(ada)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        db()
          .transaction()
          .execute((trx) => lockHosts(trx, orders[i % 2] as string[])),
      ),
    )
    assert.equal(await bookingRevisionOf(ada), before + 20)
  })

  it('leaves the booking revision unchanged if the transaction is rolled back', async () => {
    const before = await bookingRevisionOf(ada)
    const givenUp = db()
      .transaction()
      .execute(async (trx) => {
        await lockHosts(trx, [ada])
        throw new Error('changed my mind')
      })
    await assert.rejects(givenUp, /changed my mind/)
    assert.equal(await bookingRevisionOf(ada), before)
  })
})
