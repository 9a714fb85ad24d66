import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEveryDatabase } from '../../test/databases.ts'
import { type Host, signInWithToken } from '../../test/host-api.ts'
import { runDueJobs } from '../../test/jobs.ts'
import {
  type AppUnderTest,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { DAY, HOUR } from '../domain/interval.ts'

const LINK = 'https://meet.example.org/ada'

onEveryDatabase('a video call without a link', ({ db }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let hosts = 0

  before(async () => {
    const providers = { jitsi: { apiUrl: 'https://jitsi.example' } }
    under = await appOn(db(), { now: clock.now, signup: 'open', providers })
  })
  after(() => under.app.close())

  /** The next Thursday at ten, more than a day ahead. */
  const thursday = () => {
    const weeks = Math.floor((clock.now() - MONDAY_NOON) / (7 * DAY)) + 1
    return MONDAY_NOON + weeks * 7 * DAY + 2 * DAY + 22 * HOUR
  }
  const run = async (at = clock.now()) => {
    clock.moveTo(at)
    await runDueJobs(under.context)
    return under.mailbox.splice(0)
  }

  async function hostWith(more: object = {}): Promise<Host> {
    const host = await signInWithToken(under.app, under.mailbox, `linkless-${++hosts}@hosts.example`)
    const made = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      reminderMinutes: [],
      abuse: plainEventType().abuse,
      ...more,
    })
    assert.equal(made.statusCode, 201, made.body)
    under.mailbox.length = 0
    return host
  }

  async function book(host: Host, start: number) {
    const answer = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return { id: answer.json().id as string, guest: answer.json().invitee.email as string }
  }
  const viewOf = async (host: Host, id: string) => (await host.get(`/bookings/${id}`)).json()
  const addLink = (host: Host, id: string, link = LINK) => host.post(`/bookings/${id}/link`, { link })

  it('is told to guest and host, and the host is reminded once, a day before', async () => {
    const [host, start] = [await hostWith(), thursday()]
    const { id, guest } = await book(host, start)
    const told = new Map((await run()).map((mail) => [mail.to, mail]))
    assert.deepEqual([...told.keys()].sort(), [guest, host.user.email].sort())
    assert.match(told.get(guest)?.text ?? '', /Video call: the link follows by email/)
    const lines = told.get(guest)?.invitation?.ics.replaceAll('\r\n ', '') ?? ''
    assert.match(lines, /LOCATION:Video call: the link follows by email/)
    assert.match(told.get(host.user.email)?.text ?? '', /Video call: no link yet\. Add it to the booking/)
    assert.equal((await viewOf(host, id)).awaitsLink, true)

    assert.deepEqual(await run(start - DAY - 1), [])
    const reminders = await run(start - DAY)
    assert.deepEqual(
      reminders.map(({ to, subject }) => [to, subject.split(',')[0]]),
      [[host.user.email, 'Add the link: Talk with Grace Guest']],
    )
    assert.deepEqual(await run(start - HOUR), [])
  })

  it('gets the link that its host adds, which all are told, and nobody is reminded', async () => {
    const [host, start] = [await hostWith(), thursday()]
    const { id, guest } = await book(host, start)
    await run()
    const added = await addLink(host, id)
    assert.equal(added.statusCode, 200, added.body)
    const { location, awaitsLink } = added.json()
    assert.deepEqual([location.value, awaitsLink], [LINK, false])
    const told = await run()
    assert.deepEqual(told.map(({ to }) => to).sort(), [guest, host.user.email].sort())
    for (const { subject, text, invitation } of told) {
      assert.match(subject, /^Link to join: Talk/)
      assert.ok(text.includes(LINK) && invitation?.ics.replaceAll('\r\n ', '').includes(LINK))
    }
    // The same once more is no news; another one is.
    assert.equal((await addLink(host, id)).statusCode, 200)
    assert.deepEqual(await run(), [])
    assert.equal((await addLink(host, id, `${LINK}/2`)).statusCode, 200)
    assert.equal((await run()).length, 2)
    assert.deepEqual(await run(start - DAY), [])
    const { items } = (await host.get('/audit')).json()
    const actions = items.map(({ action }: { action: string }) => action)
    assert.equal(actions.filter((action: string) => action === 'link-added').length, 2)
  })

  it('says so in the usual reminder, instead of in one more', async () => {
    const [host, start] = [await hostWith({ reminderMinutes: [1440] }), thursday()]
    const { guest } = await book(host, start)
    await run()
    const reminders = await run(start - DAY)
    assert.deepEqual(
      reminders.map(({ to, subject }) => [to, subject.split(':')[0]]).sort(),
      [
        [guest, 'Reminder'],
        [host.user.email, 'Add the link'],
      ].sort(),
    )
    assert.ok(reminders.every(({ text }) => /link follows by email|no link yet/.test(text)))
  })

  it('is no longer a matter once it is cancelled, or has moved', async () => {
    const [host, start] = [await hostWith(), thursday()]
    const { id } = await book(host, start)
    const other = await book(host, start + HOUR)
    await run()
    assert.equal((await host.post(`/bookings/${other.id}/cancel`, {})).statusCode, 200)
    const startTime = new Date(start + DAY).toISOString()
    assert.equal((await host.post(`/bookings/${id}/reschedule`, { startTime })).statusCode, 200)
    await run()
    assert.deepEqual(await run(start - DAY + HOUR), [])
    assert.deepEqual(
      (await run(start)).map(({ to, subject }) => [to, subject.split(':')[0]]),
      [[host.user.email, 'Add the link']],
    )
  })

  it('gives all guests of a seated meeting its link, of which the host is reminded once', async () => {
    const [host, start] = [await hostWith({ seats: 3 }), thursday()]
    const guests = [await book(host, start), await book(host, start)]
    await run()
    assert.equal((await run(start - DAY)).length, 1)
    assert.equal((await addLink(host, guests[1]?.id ?? '')).statusCode, 200)
    const told = (await run()).filter(({ to }) => to !== host.user.email)
    assert.deepEqual(told.map(({ to }) => to).sort(), guests.map(({ guest }) => guest).sort())
    for (const { id } of guests) assert.equal((await viewOf(host, id)).location.value, LINK)
  })

  it('takes no link that nobody can open, and other bookings take none', async () => {
    const host = await hostWith()
    const { id } = await book(host, thursday())
    await run()
    for (const link of ['', 'zoom', 'javascript:alert(1)']) {
      const refused = await addLink(host, id, link)
      assert.equal(refused.statusCode, 400, refused.body)
      assert.equal(refused.headers['error-field'], 'link')
      assert.match(refused.json().error, /^The link must be a web address/)
    }
    assert.equal((await host.post(`/bookings/${id}/link`, {})).statusCode, 400)
    assert.equal((await viewOf(host, id)).awaitsLink, true)
    const stranger = await hostWith()
    assert.equal((await addLink(stranger, id)).statusCode, 404)
    assert.deepEqual(await run(), [])

    const others: [object, RegExp][] = [
      [{ location: { type: 'InPerson', value: 'Room 1' } }, /^Only video calls get a link\.$/],
      [
        { location: { type: 'Video', value: '', provider: 'jitsi' } },
        /^This booking gets its link from Jitsi.*\.$/,
      ],
      [{ requiresApproval: true }, /^A link can only be added to a confirmed meeting/],
    ]
    for (const [settings, reason] of others) {
      const owner = await hostWith(settings)
      const booked = await book(owner, thursday())
      const refused = await addLink(owner, booked.id)
      assert.equal(refused.statusCode, 409, refused.body)
      assert.match(refused.json().error, reason)
    }
  })
})
