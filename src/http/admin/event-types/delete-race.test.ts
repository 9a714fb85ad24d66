import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { signIn } from '../../../../test/host-api.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../../test/kit.ts'
import { HOUR } from '../../../domain/interval.ts'
import type { Mail } from '../../../outside/mail/mail.ts'

const ROUNDS = 30

onEveryDatabase('deleting a team’s event type while a guest books it', ({ db }) => {
  let app: FastifyInstance
  let mailbox: readonly Mail[]
  before(async () => {
    ;({ app, mailbox } = await appOn(db(), stoppedClock()))
  })
  after(() => app.close())

  it('refuses one of the two, whoever is first', async () => {
    const ada = await signIn(app, mailbox, 'ada@example.org')
    const team = (await ada.post('/teams', { slug: 'band', name: 'Band' })).json()
    const host = await addUser(db(), 'ben')
    for (let round = 0; round < ROUNDS; round++) {
      const eventType = await addEventType(db(), team, { slug: `call-${round}` }, [
        { hostId: host.id, fixed: false },
      ])
      // Four days from Tuesday, eight hours each.
      const startsAt = MONDAY_NOON + (21 + 24 * Math.floor(round / 8) + (round % 8)) * HOUR
      const book = () =>
        app.inject({
          method: 'POST',
          url: `/api/public/scheduling/band/call-${round}/book`,
          payload: bookingOf(eventType, startsAt, { inviteeEmail: `guest-${round}@guests.example` }),
          headers: fromSomeoneNew(),
        })
      const remove = () => ada.del(`/event-types/${eventType.id}`)
      const [booked, removed] =
        round % 2 === 0
          ? await Promise.all([book(), remove()])
          : await Promise.all([remove(), book()]).then(([second, first]) => [first, second] as const)
      const kept = await db()
        .selectFrom('bookings')
        .select('id')
        .where('event_type_id', '=', eventType.id)
        .execute()
      assert.deepEqual(
        { removed: removed.statusCode, kept: kept.length },
        booked.statusCode === 201 ? { removed: 409, kept: 1 } : { removed: 204, kept: 0 },
        `${booked.statusCode} ${booked.body}`,
      )
    }
  })
})
