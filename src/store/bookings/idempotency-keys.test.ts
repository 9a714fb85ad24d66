import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addUser } from '../../../test/kit.ts'
import { brokenConstraint } from '../engine/database.ts'
import { findAnswer, insertAnswer } from './idempotency-keys.ts'

onEveryDatabase('idempotency keys', ({ db }) => {
  let eventTypeId: string
  let otherEventTypeId: string
  before(async () => {
    const user = await addUser(db(), 'ada')
    eventTypeId = (await addEventType(db(), user)).id
    otherEventTypeId = (await addEventType(db(), user)).id
  })

  const answer = (key: string, given: object = {}) => ({
    eventTypeId,
    key,
    bodyHash: 'hash',
    answer: '{"booking":1}',
    expiresAt: 2000,
    ...given,
  })

  it('returns a stored response until it expires', async () => {
    await insertAnswer(db(), answer('kept'), 1000)
    assert.deepEqual(await findAnswer(db(), eventTypeId, 'kept', 1999), answer('kept'))
    assert.equal(await findAnswer(db(), eventTypeId, 'kept', 2000), undefined)
  })

  it('stores instants past 2^32', async () => {
    const expiresAt = Date.UTC(2100, 0)
    await insertAnswer(db(), answer('far', { expiresAt }), 1000)
    assert.equal((await findAnswer(db(), eventTypeId, 'far', 1000))?.expiresAt, expiresAt)
  })

  it('keeps keys of different event types apart', async () => {
    await insertAnswer(db(), answer('shared'), 1000)
    assert.equal(await findAnswer(db(), otherEventTypeId, 'shared', 1000), undefined)
    await insertAnswer(db(), answer('shared', { eventTypeId: otherEventTypeId }), 1000)
  })

  it('distinguishes upper and lower case', async () => {
    await insertAnswer(db(), answer('Key'), 1000)
    assert.equal(await findAnswer(db(), eventTypeId, 'key', 1000), undefined)
  })

  it('refuses a second response to a key', async () => {
    await insertAnswer(db(), answer('taken'), 1000)
    await assert.rejects(
      insertAnswer(db(), answer('taken', { bodyHash: 'other' }), 1999),
      (error) => brokenConstraint(error) === 'unique',
    )
    assert.equal((await findAnswer(db(), eventTypeId, 'taken', 1000))?.bodyHash, 'hash')
  })

  it('accepts a key again after its response has expired', async () => {
    await insertAnswer(db(), answer('again'), 1000)
    await insertAnswer(db(), answer('again', { bodyHash: 'other', expiresAt: 5000 }), 2000)
    assert.equal((await findAnswer(db(), eventTypeId, 'again', 2000))?.bodyHash, 'other')
  })
})
