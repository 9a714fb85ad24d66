import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { idOf, keepNumber, Numbers, numberOf, numbersOf } from './numbers.ts'

onEveryDatabase('numbers', ({ db }) => {
  it('gives every object one that stays, of 32 bits, however many ask at once', async () => {
    const ids = Array.from({ length: 700 }, () => randomUUID())
    const all = await Promise.all(Array.from({ length: 4 }, () => numbersOf(db(), 'booking', ids)))
    const [first] = all
    for (const other of all) assert.deepEqual(other, first)
    assert.equal(new Set(first?.values()).size, ids.length)
    for (const number of first?.values() ?? []) assert.ok(number >= 2 ** 30 && number < 2 ** 31)
  })

  it('leads back to the object, by its kind alone', async () => {
    const id = randomUUID()
    const number = await numberOf(db(), 'event-type', id)
    assert.equal(await idOf(db(), 'event-type', number), id)
    assert.equal(await idOf(db(), 'user', number), undefined)
    for (const wrong of [0, -1, 1.5, 2 ** 31, Number.NaN]) {
      assert.equal(await idOf(db(), 'event-type', wrong), undefined)
    }
  })

  it('keeps a number from elsewhere, unless it is in use', async () => {
    const [id, other] = [randomUUID(), randomUUID()]
    assert.equal(await keepNumber(db(), 'event-type', 4711, id), true)
    assert.equal(await numberOf(db(), 'event-type', id), 4711)
    assert.equal(await keepNumber(db(), 'event-type', 4711, other), false)
    assert.equal(await keepNumber(db(), 'event-type', 4712, id), false)
    assert.equal(await keepNumber(db(), 'event-type', 2 ** 30, other), false)
  })

  it('is remembered without another look', async () => {
    const [id, other] = [randomUUID(), randomUUID()]
    const numbers = new Numbers(db())
    const number = await numbers.of('schedule', id)
    await db().deleteFrom('numbers').where('object_id', '=', id).execute()
    assert.equal(await numbers.of('schedule', id), number)
    assert.equal(await numbers.idOf('schedule', number), id)
    const both = await numbers.ofAll('schedule', [id, other])
    assert.equal(both.get(id), number)
    assert.equal(both.get(other), await numberOf(db(), 'schedule', other))
  })
})
