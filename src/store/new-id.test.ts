import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { newId } from './new-id.ts'

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

it('makes UUIDs of version 7 whose time is now', () => {
  const before = Date.now()
  const id = newId()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(timeOf(id) >= before && timeOf(id) <= Date.now())
})

it('makes ids in ascending order, within a millisecond and when the clock is set back', () => {
  const now = Date.now() + 60_000
  mock.timers.enable({ apis: ['Date'], now })
  try {
    const ids = Array.from({ length: 10_000 }, newId)
    assert.equal(timeOf(ids[0] as string), now)
    mock.timers.setTime(now - 30_000)
    ids.push(newId(), newId())
    mock.timers.setTime(now + 30_000)
    ids.push(newId())
    assert.equal(timeOf(ids.at(-1) as string), now + 30_000)
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids).size, ids.length)
  } finally {
    mock.timers.reset()
  }
})
