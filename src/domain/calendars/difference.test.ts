import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareEntries, type OwnEvent } from './difference.ts'

const written = { eventId: 'a', start: 10, end: 20 }
const event = (given: Partial<OwnEvent> = {}): OwnEvent => ({
  ...written,
  cancelled: false,
  free: false,
  ...given,
})

function compare(...events: OwnEvent[]) {
  const [compared] = compareEntries([written], events)
  return [compared?.difference, compared?.busy]
}

describe('compareEntries', () => {
  it('finds no difference where the event is where we wrote it, even if it is marked as free', () => {
    assert.deepEqual(compare(event()), [null, undefined])
    assert.deepEqual(compare(event({ free: true })), [null, undefined])
  })

  it('says where an event was moved to, which blocks that time', () => {
    const moved = { kind: 'moved', startsAt: 30, endsAt: 40 }
    assert.deepEqual(compare(event({ start: 30, end: 40 })), [moved, { start: 30, end: 40 }])
    assert.deepEqual(compare(event({ start: 30, end: 40, free: true })), [moved, undefined])
    assert.deepEqual(compare(event({ end: 10 })), [{ kind: 'moved', startsAt: 10, endsAt: 10 }, undefined])
    assert.deepEqual(compare(event({ end: 25 })), [
      { kind: 'moved', startsAt: 10, endsAt: 25 },
      { start: 10, end: 25 },
    ])
  })

  it('calls an event deleted that is gone or crossed out, whatever else is there', () => {
    assert.deepEqual(compare(), [{ kind: 'deleted' }, undefined])
    assert.deepEqual(compare(event({ eventId: 'b' })), [{ kind: 'deleted' }, undefined])
    assert.deepEqual(compare(event({ cancelled: true, start: 30 })), [{ kind: 'deleted' }, undefined])
  })
})
