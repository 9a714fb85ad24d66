import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addUser } from '../../../test/kit.ts'
import { newId } from '../new-id.ts'
import { findAbsences, insertAbsence } from './absences.ts'

onEveryDatabase('absences', ({ db }) => {
  let ada: string
  let bob: string

  before(async () => {
    ada = (await addUser(db(), 'ada')).id
    bob = (await addUser(db(), 'bob')).id
    const away = async (userId: string, startsAt: number, endsAt: number) =>
      db()
        .transaction()
        .execute((trx) =>
          insertAbsence(trx, { id: newId(), userId, startsAt, endsAt, note: '', redirectTo: null }),
        )
    await away(ada, 30, 50)
    await away(ada, 0, 10)
    await away(ada, 5, 25)
    await away(bob, 20, 21)
  })

  it('are found where they overlap the span, earliest first', async () => {
    assert.deepEqual(
      await findAbsences(db(), [ada, bob], { start: 10, end: 31 }),
      new Map([
        [
          ada,
          [
            { start: 5, end: 25 },
            { start: 30, end: 50 },
          ],
        ],
        [bob, [{ start: 20, end: 21 }]],
      ]),
    )
    assert.deepEqual(await findAbsences(db(), [bob], { start: 21, end: 30 }), new Map())
    assert.deepEqual(await findAbsences(db(), [bob], { start: 10, end: 20 }), new Map())
  })

  it('are empty without hosts', async () => {
    assert.deepEqual(await findAbsences(db(), [], { start: 0, end: 100 }), new Map())
  })
})
