import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { addTeam, addUser } from '../../../../test/kit.ts'
import { newId } from '../../new-id.ts'
import { findBlockedEntries, insertBlockedGuest } from './blocked-guests.ts'

onEveryDatabase('blocked guests', ({ db }) => {
  it('are those of the given schedulers, and no others', async () => {
    const { id: ada } = await addUser(db(), 'ada')
    const { id: team } = await addTeam(db(), 'team')
    const { id: other } = await addUser(db(), 'other')
    const block = (schedulerId: string, entry: string) =>
      db()
        .transaction()
        .execute((trx) => insertBlockedGuest(trx, { id: newId(), schedulerId, entry, createdAt: 0 }))
    await block(ada, 'both.example')
    await block(team, 'both.example')
    await block(ada, 'a@ada.example')
    await block(team, 'team.example')
    await block(other, 'other.example')
    assert.deepEqual(await findBlockedEntries(db(), [ada, team]), [
      'a@ada.example',
      'both.example',
      'team.example',
    ])
    assert.deepEqual(await findBlockedEntries(db(), []), [])
  })
})
