import assert from 'node:assert/strict'
import { it } from 'node:test'
import { calendlyUris } from './calendly-uris.ts'

it('names a booking and its guest, and both anew when it was moved', () => {
  const booking = { id: '0197-a', startsAt: Date.UTC(2027, 0, 11, 12) }
  const uris = calendlyUris('https://book.example', booking)
  assert.deepEqual(uris, calendlyUris('https://book.example', { ...booking }))
  const [, event] =
    /^https:\/\/book\.example\/v2\/calendly\/scheduled_events\/([^/]+)$/.exec(uris.event) ?? []
  assert.equal(uris.invitee, `${uris.event}/invitees/${event}`)
  const moved = calendlyUris('https://book.example', { ...booking, startsAt: booking.startsAt + 60_000 })
  assert.notEqual(moved.event, uris.event)
  assert.notEqual(moved.invitee, uris.invitee)
})
