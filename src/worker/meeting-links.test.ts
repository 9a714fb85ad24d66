import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { getListed } from '../../test/bookings.ts'
import { connect } from '../../test/connections.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { signInWithToken } from '../../test/host-api.ts'
import {
  type AppUnderTest,
  addEventType,
  addTeam,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../test/kit.ts'
import { startZoom, type ZoomStandIn } from '../../test/outside/zoom.ts'
import { addWebhook } from '../../test/webhooks.ts'
import type { Author } from '../domain/bookings/decisions/author.ts'
import type { LinkProvider } from '../domain/event-types/location.ts'
import { HOUR, MINUTE } from '../domain/interval.ts'
import { JOB_KINDS } from '../domain/job.ts'
import { zoomProvider } from '../outside/links/zoom/zoom.ts'
import { reassign } from '../services/bookings/host/reassign.ts'
import { openWorkQueue } from '../services/work-queue.ts'
import { HANDLERS } from './handlers.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR
const CREATE = /\/users\/me\/meetings$/
const LEASE = 60_000
const HOST: Author = { by: 'host', actor: { userId: null, email: 'host@hosts.example' } }

onEveryDatabase('meeting links', ({ db }) => {
  const clock = stoppedClock()
  let zoom: ZoomStandIn
  let under: AppUnderTest
  let hosts = 0

  before(async () => {
    zoom = await startZoom({ now: clock.now })
    under = await appOn(db(), {
      now: clock.now,
      signup: 'open',
      providers: { zoom: zoomProvider(zoom.settings), jitsi: { apiUrl: 'https://jitsi.example' } },
    })
  })
  after(async () => {
    await under.app.close()
    await zoom.close()
  })

  /** Runs jobs as the worker does, until none is due. Webhooks stay: their bodies can be looked at. */
  async function runDue() {
    const queue = openWorkQueue(under.context, LEASE)
    for (let ran = true; ran; ) {
      ran = false
      for (const kind of JOB_KINDS.filter((one) => one !== 'webhook')) {
        for (const job of await queue.take(kind, clock.now(), 10, [])) {
          ran = true
          try {
            await HANDLERS[kind](under.context, job, () => {})
            await queue.complete([{ id: job.id, delivery: undefined }])
          } catch (error) {
            await queue.fail(job, error as Error)
          }
        }
      }
    }
  }

  /** A host with an event type whose links this provider makes. */
  async function hostWith(provider: LinkProvider, given: object = {}) {
    const host = await signInWithToken(under.app, under.mailbox, `links-${++hosts}@hosts.example`)
    if (provider === 'zoom') {
      zoom.oauth.visitor = {
        account: { subject: `zoom-${hosts}`, address: `links-${hosts}@zoom.example` },
        answer: 'allow',
      }
      await connect(under.app, host, 'zoom', zoom)
    }
    const answer = await host.post('/event-types', {
      slug: 'talk',
      name: 'Talk',
      durationMinutes: 60,
      noticeMinutes: 0,
      reminderMinutes: [],
      abuse: plainEventType().abuse,
      location: { type: 'Video', value: '', provider },
      ...given,
    })
    assert.equal(answer.statusCode, 201, answer.body)
    await addWebhook(db(), host.user)
    zoom.deleteMeetings()
    return host
  }

  type LinkHost = Awaited<ReturnType<typeof hostWith>>

  async function book(host: LinkHost, start = TUESDAY_TEN) {
    const answer = await under.app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${host.user.slug}/talk/book`,
      payload: bookingOf(plainEventType({ durationMinutes: 60 }), start),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    under.mailbox.length = 0
    return {
      ...answer.json(),
      manage: String(answer.headers.location).replace('https://book.example.com', ''),
    }
  }

  const shown = async ({ manage }: { manage: string }) =>
    (await under.app.inject({ url: manage })).json().location.value as string
  const mails = () => under.mailbox.map(({ to, text }) => ({ to, text }))
  const told = async (bookingId: string) =>
    (
      await db()
        .selectFrom('webhook_deliveries')
        .select('body')
        .where('booking_id', '=', bookingId)
        .orderBy('created_at')
        .execute()
    ).map(({ body }) => {
      const { type, data } = JSON.parse(body)
      return [type, data.location.value]
    })

  it('of Jitsi are random, and the same for everybody', async () => {
    const host = await hostWith('jitsi')
    const [one, other] = [await book(host), await book(host, TUESDAY_TEN + HOUR)]
    assert.deepEqual(one.location, { type: 'Video', value: '' })
    await runDue()
    const url = await shown(one)
    assert.match(url, /^https:\/\/jitsi\.example\/[0-9a-f]{32}$/)
    assert.notEqual(await shown(other), url)
    assert.equal(mails().filter(({ text }) => text.includes(url)).length, 2)
    assert.deepEqual(await told(one.id), [['booking.created', url]])
  })

  it('of Zoom are in the first mail, follow the meeting, and end with it', async () => {
    const host = await hostWith('zoom')
    const booking = await book(host)
    await runDue()
    const [meeting, ...others] = zoom.meetings
    assert.deepEqual(others, [])
    assert.equal(meeting?.start_time, '2027-01-12T10:00:00Z')
    assert.equal(meeting?.duration, 60)
    assert.equal(meeting?.topic, 'Talk: Grace Guest')
    const url = `https://zoom.example/j/${meeting?.id}?pwd=secret`
    assert.equal(await shown(booking), url)
    assert.equal(mails().length, 2)
    assert.ok(mails().every(({ text }) => text.includes(url)))
    assert.deepEqual(await told(booking.id), [['booking.created', url]])

    const moved = await host.post(`/bookings/${booking.id}/reschedule`, {
      startTime: new Date(TUESDAY_TEN + 2 * HOUR).toISOString(),
    })
    assert.equal(moved.statusCode, 200, moved.body)
    await runDue()
    assert.deepEqual(
      zoom.meetings.map(({ id, start_time }) => [id, start_time]),
      [[meeting?.id, '2027-01-12T12:00:00Z']],
    )
    assert.equal(await shown(booking), url)

    const cancelled = await host.post(`/bookings/${booking.id}/cancel`, {})
    assert.equal(cancelled.statusCode, 200, cancelled.body)
    assert.equal(await shown(booking), '')
    clock.moveTo(clock.now() + MINUTE)
    await runDue()
    assert.deepEqual(zoom.meetings, [])
    assert.deepEqual((await told(booking.id)).at(-1), ['booking.cancelled', ''])
  })

  it('are made once, however often the answer is lost', async () => {
    const host = await hostWith('zoom')
    zoom.misbehave(CREATE, 'truncated')
    const booking = await book(host)
    await runDue()
    assert.equal(zoom.meetings.length, 1)
    assert.equal(await shown(booking), '')
    assert.deepEqual(mails(), [])
    clock.moveTo(clock.now() + 10_000)
    await runDue()
    assert.equal(zoom.meetings.length, 1)
    assert.equal(await shown(booking), `https://zoom.example/j/${zoom.meetings[0]?.id}?pwd=secret`)
    assert.equal(mails().length, 2)
  })

  it('are made once, even if Zoom’s list is slow to show them, and none is left of a cancelled booking', async () => {
    const host = await hostWith('zoom')
    zoom.deleteMeetings()
    zoom.listLag = 50_000
    zoom.misbehave(CREATE, 'truncated')
    const booking = await book(host)
    for (let seconds = 0; seconds <= 60; seconds += 5) {
      await runDue()
      clock.moveTo(clock.now() + 5000)
    }
    await runDue()
    assert.equal(zoom.meetings.length, 1)
    assert.match(await shown(booking), /zoom\.example\/j\//)

    zoom.misbehave(CREATE, 'truncated')
    const other = await book(host, TUESDAY_TEN + 2 * HOUR)
    await runDue()
    assert.equal(zoom.meetings.length, 2)
    assert.equal((await host.post(`/bookings/${other.id}/cancel`, {})).statusCode, 200)
    for (let seconds = 0; seconds <= 60; seconds += 5) {
      await runDue()
      clock.moveTo(clock.now() + 5000)
    }
    assert.equal(zoom.meetings.length, 1)
    zoom.listLag = 0
  })

  it('that Zoom has not made for sure are asked for again without looking for them', async () => {
    const host = await hostWith('zoom')
    zoom.deleteMeetings()
    zoom.misbehave(CREATE, { status: 429, headers: { 'retry-after': '5' }, body: { code: 429 } })
    const booking = await book(host)
    await runDue()
    clock.moveTo(clock.now() + 5000)
    await runDue()
    assert.equal(zoom.meetings.length, 1)
    assert.match(await shown(booking), /zoom\.example\/j\//)
  })

  it('that come late are waited for a minute, and then sent after the mail', async () => {
    const host = await hostWith('zoom')
    zoom.misbehave(CREATE, { status: 429, headers: { 'retry-after': '90' }, body: { code: 429 } })
    const booking = await book(host)
    await runDue()
    clock.moveTo(clock.now() + MINUTE - 1)
    await runDue()
    assert.deepEqual(mails(), [])
    clock.moveTo(clock.now() + 1)
    await runDue()
    assert.equal(mails().length, 2)
    assert.ok(mails().every(({ text }) => !text.includes('zoom.example/j/')))
    assert.deepEqual(await told(booking.id), [['booking.created', '']])
    assert.equal(zoom.meetings.length, 0)

    under.mailbox.length = 0
    clock.moveTo(clock.now() + 30_000)
    await runDue()
    const url = await shown(booking)
    assert.match(url, /zoom\.example\/j\//)
    assert.equal(mails().length, 2)
    assert.ok(mails().every(({ text }) => text.includes(url)))
    assert.ok(mails().every(({ text }) => text.includes('Here is the link to your meeting')))
    assert.deepEqual((await told(booking.id)).at(-1), ['booking.updated', url])
  })

  it('come with the approval, not with the request', async () => {
    const host = await hostWith('zoom', { requiresApproval: true })
    const booking = await book(host)
    await runDue()
    assert.equal(zoom.meetings.length, 0)
    assert.equal(mails().length, 2)
    assert.deepEqual(await told(booking.id), [['booking.created', '']])
    await host.post(`/bookings/${booking.id}/approve`, {})
    clock.moveTo(clock.now() + MINUTE)
    await runDue()
    assert.equal(zoom.meetings.length, 1)
    assert.match(await shown(booking), /zoom\.example\/j\//)
    assert.match((await told(booking.id)).at(-1)?.[1], /zoom\.example\/j\//)
  })

  it('are not waited for where the provider refuses, or no host has an account', async () => {
    const host = await hostWith('zoom')
    const no = { status: 400, body: { code: 300, message: 'No.' } }
    zoom.misbehave(CREATE, no, no)
    const before = zoom.asked.length
    await book(host)
    await runDue()
    assert.equal(mails().length, 2)
    // Once for the booking, and once more before its mails went without a link.
    assert.equal(zoom.asked.length - before, 2)
    const { items } = (await host.get('/connections')).json()
    assert.equal((await host.del(`/connections/${items[0].id}`)).statusCode, 204)
    await book(host, TUESDAY_TEN + HOUR)
    await runDue()
    assert.equal(mails().length, 2)
  })

  it('are made by the new host’s account when the meeting is handed over, and told once', async () => {
    const hosts = [await hostWith('zoom'), await hostWith('zoom')]
    const team = await addTeam(db(), `links-team-${hosts[0]?.user.slug}`)
    const seats = hosts.map(({ user }) => ({ hostId: user.id, fixed: false }))
    const location = { type: 'Video', value: '', provider: 'zoom' } as const
    const given = { slug: 'talk', durationMinutes: 60, assignment: 'round-robin', location } as const
    await addEventType(db(), team, { ...given, reminderMinutes: [] }, seats)
    await addWebhook(db(), team)
    const booking = await book({ ...(hosts[0] as LinkHost), user: { ...hosts[0]?.user, ...team, email: '' } })
    await runDue()
    const [before] = zoom.meetings
    const url = await shown(booking)
    const seen = await getListed(db(), booking.id)
    const next = hosts.find(({ user }) => user.id !== seen.hostId) as LinkHost
    under.mailbox.length = 0
    await reassign(under.context, HOST, seen, { hostId: next.user.id, reason: '' })
    await runDue()
    clock.moveTo(clock.now() + MINUTE)
    await runDue()
    const [after, ...left] = zoom.meetings
    assert.deepEqual(left, [])
    assert.notEqual(after?.hostId, before?.hostId)
    const fresh = await shown(booking)
    assert.equal(fresh, `https://zoom.example/j/${after?.id}?pwd=secret`)
    assert.equal(mails().length, 3)
    const other = hosts.find(({ user }) => user.id === seen.hostId)?.user.email
    for (const { to, text } of mails()) assert.equal(text.includes(fresh), to !== other)
    assert.ok(mails().every(({ text }) => !text.includes(url)))
    assert.deepEqual(await told(booking.id), [
      ['booking.created', url],
      ['booking.reassigned', fresh],
    ])
  })

  it('that the host deleted at Zoom are replaced when the meeting moves', async () => {
    const host = await hostWith('zoom')
    const booking = await book(host)
    await runDue()
    const before = await shown(booking)
    zoom.deleteMeetings()
    await host.post(`/bookings/${booking.id}/reschedule`, {
      startTime: new Date(TUESDAY_TEN + 3 * HOUR).toISOString(),
    })
    await runDue()
    const after = await shown(booking)
    assert.notEqual(after, before)
    assert.equal(zoom.meetings.length, 1)
    assert.ok(under.mailbox.at(-1)?.text.includes(after))
  })
})
