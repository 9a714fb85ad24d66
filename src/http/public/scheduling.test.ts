import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import type { AbusePrevention, EventType } from '../../domain/event-types/event-type.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'

interface Slot {
  readonly startTime: string
  readonly endTime: string
  readonly seatsLeft?: number
}

interface Day {
  readonly date: string
  readonly slots: readonly Slot[]
}

const { abuse: PLAIN_ABUSE } = plainEventType()

/** Half hours from nine to five, UTC, on that date. */
function halfHoursOf(date: string): Slot[] {
  const nine = Temporal.Instant.from(`${date}T09:00Z`)
  return Array.from({ length: 16 }, (_, i) => ({
    startTime: nine.add({ minutes: 30 * i }).toString(),
    endTime: nine.add({ minutes: 30 * (i + 1) }).toString(),
  }))
}

/** The slots by the date on which they start on a wall calendar in `zone`. */
function byDate(slots: readonly Slot[], zone: string, from: string, to: string): Day[] {
  const groups = Map.groupBy(slots, ({ startTime }) =>
    Temporal.Instant.from(startTime).toZonedDateTimeISO(zone).toPlainDate().toString(),
  )
  return [...groups]
    .filter(([date]) => date >= from && date <= to)
    .map(([date, ofDate]) => ({ date, slots: ofDate }))
}

onEveryDatabase('GET /api/public/scheduling', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Scheduler
  let talk: EventType

  const get = (path: string) => app.inject({ url: `/api/public/scheduling/${path}` })
  const refusal = async (path: string, status: number): Promise<string> => {
    const reply = await get(path)
    assert.equal(reply.statusCode, status, `${path}: ${reply.body}`)
    const body = reply.json()
    assert.deepEqual(Object.keys(body), ['error'])
    assert.match(body.error, /^\S.+\.$/, 'a sentence')
    return body.error
  }
  const slots = async (path: string, query: Record<string, string>): Promise<Day[]> => {
    const reply = await get(`${path}/slots?${new URLSearchParams(query)}`)
    assert.equal(reply.statusCode, 200, reply.body)
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    return reply.json()
  }
  const book = async (owner: Scheduler, eventType: EventType, startsAt: number) => {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${owner.slug}/${eventType.slug}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(eventType, startsAt),
    })
    assert.equal(reply.statusCode, 201, reply.body)
  }

  before(async () => {
    app = (
      await appOn(db(), {
        now: clock.now,
        captcha: {
          altchaSecret: 'altcha-secret-of-the-tests',
          services: {
            turnstile: { siteKey: 'turnstile-site', secret: 'hush', verifyUrl: 'http://127.0.0.1:9/' },
            hcaptcha: { siteKey: 'hcaptcha-site', secret: 'hush', verifyUrl: 'http://127.0.0.1:9/' },
          },
        },
      })
    ).app
    ada = await addUser(db(), 'ada')
    talk = await addEventType(db(), ada, { slug: 'talk' })
  })

  // Profile

  it('shows a profile with every field, and nothing else', async () => {
    const grace = await addUser(db(), 'grace')
    await db()
      .updateTable('schedulers')
      .set({
        name: 'Grace Host',
        bio: 'Line one.\nLine two.',
        avatar_url: 'https://img.example/grace.png',
        time_zone: 'Europe/Berlin',
        primary_color: '#abcdef',
        logo_url: 'https://img.example/logo.svg',
      })
      .where('id', '=', grace.id)
      .execute()
    const review = await addEventType(db(), grace, {
      slug: 'review',
      name: 'Review',
      description: 'An hour.',
      durationMinutes: 60,
      location: { type: 'Phone', value: '+1 212 555 0100' },
      requiresApproval: true,
      seats: 4,
    })
    const reply = await get('grace')
    assert.equal(reply.statusCode, 200)
    assert.deepEqual(reply.json(), {
      slug: 'grace',
      kind: 'user',
      profile: {
        name: 'Grace Host',
        bio: 'Line one.\nLine two.',
        avatarUrl: 'https://img.example/grace.png',
        timezone: 'Europe/Berlin',
      },
      branding: { primaryColor: '#abcdef', logoUrl: 'https://img.example/logo.svg' },
      eventTypes: [
        {
          id: review.id,
          slug: 'review',
          name: 'Review',
          description: 'An hour.',
          durationMinutes: 60,
          durations: [],
          locations: [],
          maxGuests: 0,
          series: null,
          price: null,
          location: { type: 'Phone' },
          requiresApproval: true,
          seats: 4,
        },
      ],
    })
  })

  it('lists event types in the order their owner gave them, without the hidden ones', async () => {
    const host = await addUser(db(), 'orderly')
    await addEventType(db(), host, { slug: 'third', position: 2 })
    await addEventType(db(), host, { slug: 'second-b', position: 1 })
    await addEventType(db(), host, { slug: 'second-a', position: 1 })
    await addEventType(db(), host, { slug: 'secret', position: 1, hidden: true })
    await addEventType(db(), host, { slug: 'first', position: 0 })
    const slugs = (await get('orderly')).json().eventTypes.map(({ slug }: { slug: string }) => slug)
    assert.deepEqual(slugs, ['first', 'second-a', 'second-b', 'third'])
  })

  it('shows a team as a team, and someone without event types with an empty list', async () => {
    await addTeam(db(), 'crew')
    await addUser(db(), 'lazy')
    const [crew, lazy] = [(await get('crew')).json(), (await get('lazy')).json()]
    assert.deepEqual([crew.kind, crew.eventTypes], ['team', []])
    assert.deepEqual([lazy.kind, lazy.eventTypes], ['user', []])
  })

  it('answers 404 for a profile that is not there', async () => {
    for (const slug of [
      'nobody',
      'Ada',
      'ada.',
      '%00',
      'a%2Fb',
      'ada%20',
      '..%2F..%2Fetc',
      '%F0%9F%92%A9',
      "'or'1'='1",
    ]) {
      await refusal(slug, 404)
    }
  })

  // Slots

  it('lists free half hours by date, ascending, as instants in UTC', async () => {
    const days = await slots('ada/talk', { dateFrom: '2027-01-12', dateTo: '2027-01-13', timezone: 'UTC' })
    assert.deepEqual(days, [
      { date: '2027-01-12', slots: halfHoursOf('2027-01-12') },
      { date: '2027-01-13', slots: halfHoursOf('2027-01-13') },
    ])
  })

  it('takes both dates in the guest’s zone, inclusive', async () => {
    const all = ['11', '12', '13', '14', '15'].flatMap((day) => halfHoursOf(`2027-01-${day}`))
    const future = all.filter(({ startTime }) => Date.parse(startTime) >= clock.now())
    for (const timezone of [
      'Pacific/Auckland',
      'Asia/Kathmandu',
      'Europe/London',
      'America/Los_Angeles',
      'Etc/GMT+12',
    ]) {
      for (const [dateFrom, dateTo] of [
        ['2027-01-13', '2027-01-13'],
        ['2027-01-12', '2027-01-14'],
      ] as const) {
        const days = await slots('ada/talk', { dateFrom, dateTo, timezone })
        assert.deepEqual(days, byDate(future, timezone, dateFrom, dateTo), timezone)
      }
    }
  })

  it('leaves out dates without slots', async () => {
    const days = await slots('ada/talk', { dateFrom: '2027-01-15', dateTo: '2027-01-18', timezone: 'UTC' })
    assert.deepEqual(
      days.map(({ date }) => date),
      ['2027-01-15', '2027-01-18'],
    )
    assert.deepEqual(
      await slots('ada/talk', { dateFrom: '2027-01-16', dateTo: '2027-01-17', timezone: 'UTC' }),
      [],
    )
    assert.deepEqual(
      await slots('ada/talk', { dateFrom: '1999-01-01', dateTo: '1999-01-31', timezone: 'UTC' }),
      [],
    )
  })

  it('lists nothing that has begun', async () => {
    const [today] = await slots('ada/talk', { dateFrom: '2027-01-11', dateTo: '2027-01-11', timezone: 'UTC' })
    const left = halfHoursOf('2027-01-11').filter(({ startTime }) => Date.parse(startTime) >= clock.now())
    assert.deepEqual(today?.slots, left)
  })

  it('strikes a slot out the moment it is booked', async () => {
    const host = await addUser(db(), 'busy')
    const call = await addEventType(db(), host, { slug: 'call' })
    const query = { dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone: 'UTC' }
    assert.deepEqual((await slots('busy/call', query))[0]?.slots, halfHoursOf('2027-01-12'))
    await book(host, call, Date.parse('2027-01-12T10:00Z'))
    const [day] = await slots('busy/call', query)
    assert.deepEqual(
      day?.slots,
      halfHoursOf('2027-01-12').filter(({ startTime }) => startTime !== '2027-01-12T10:00:00Z'),
    )
  })

  it('counts the seats that are left, and only where there are seats', async () => {
    const host = await addUser(db(), 'teacher')
    const course = await addEventType(db(), host, { slug: 'course', seats: 2 })
    const query = { dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone: 'UTC' }
    const seatsAtTen = async () => {
      const [day] = await slots('teacher/course', query)
      return day?.slots.find(({ startTime }) => startTime === '2027-01-12T10:00:00Z')?.seatsLeft
    }
    const [day] = await slots('teacher/course', query)
    assert.deepEqual(
      day?.slots,
      halfHoursOf('2027-01-12').map((slot) => ({ ...slot, seatsLeft: 2 })),
    )
    await book(host, course, Date.parse('2027-01-12T10:00Z'))
    assert.equal(await seatsAtTen(), 1)
    await book(host, course, Date.parse('2027-01-12T10:00Z'))
    assert.equal(await seatsAtTen(), undefined)
  })

  it('lists a hidden event type to those who know its address', async () => {
    await addEventType(db(), ada, { slug: 'secret', hidden: true })
    const [day] = await slots('ada/secret', { dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone: 'UTC' })
    assert.deepEqual(day?.slots, halfHoursOf('2027-01-12'))
  })

  it('takes a zone in any case of letters', async () => {
    const query = { dateFrom: '2027-01-12', dateTo: '2027-01-12' }
    assert.deepEqual(
      await slots('ada/talk', { ...query, timezone: 'asia/TOKYO' }),
      await slots('ada/talk', { ...query, timezone: 'Asia/Tokyo' }),
    )
  })

  it('wants all three parameters, each once', async () => {
    const query = { dateFrom: '2027-01-12', dateTo: '2027-01-13', timezone: 'UTC' }
    for (const name of Object.keys(query)) {
      const without = new URLSearchParams(query)
      without.delete(name)
      assert.match(await refusal(`ada/talk/slots?${without}`, 400), new RegExp(name))
      const twice = new URLSearchParams(query)
      twice.append(name, 'UTC')
      assert.match(await refusal(`ada/talk/slots?${twice}`, 400), new RegExp(name))
    }
    await refusal('ada/talk/slots', 400)
  })

  it('refuses dates that are malformed or do not exist', async () => {
    const query = { dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone: 'UTC' }
    for (const date of [
      '',
      'today',
      '2027-1-12',
      '27-01-12',
      '20270112',
      '2027/01/12',
      '2027-02-30',
      '2027-13-01',
      '2027-00-10',
      '2027-01-12T00:00',
      '2027-01-12Z',
      ' 2027-01-12',
      '+002027-01-12',
      '-2027-01-12',
      '２０２７-01-12',
    ]) {
      for (const name of ['dateFrom', 'dateTo']) {
        const asked = new URLSearchParams({ ...query, [name]: date })
        assert.match(await refusal(`ada/talk/slots?${asked}`, 400), new RegExp(name), date)
      }
    }
  })

  it('refuses zones that it does not know', async () => {
    for (const timezone of [
      '',
      'Berlin',
      'Mars/Olympus',
      '+01:00',
      'UTC+1',
      'Europe/Berlin ',
      '../UTC',
      'a'.repeat(500),
      '\u0000',
    ]) {
      const asked = new URLSearchParams({ dateFrom: '2027-01-12', dateTo: '2027-01-12', timezone })
      assert.match(await refusal(`ada/talk/slots?${asked}`, 400), /timezone/, timezone)
    }
  })

  it('refuses dates the wrong way round', async () => {
    const asked = new URLSearchParams({ dateFrom: '2027-01-13', dateTo: '2027-01-12', timezone: 'UTC' })
    assert.match(await refusal(`ada/talk/slots?${asked}`, 400), /dateTo/)
  })

  it('lists up to 92 days, and no more', async () => {
    const dateFrom = '2027-01-12'
    const spanning = (days: number) => ({
      dateFrom,
      dateTo: Temporal.PlainDate.from(dateFrom)
        .add({ days: days - 1 })
        .toString(),
      timezone: 'UTC',
    })
    const days = await slots('ada/talk', spanning(92))
    assert.equal(days[0]?.date, dateFrom)
    assert.match(await refusal(`ada/talk/slots?${new URLSearchParams(spanning(93))}`, 400), /92/)
    assert.match(
      await refusal(`ada/talk/slots?dateFrom=0000-01-01&dateTo=9999-12-31&timezone=UTC`, 400),
      /92/,
    )
  })

  it('lists nothing, rather than failing, at the ends of the calendar', async () => {
    for (const date of ['0000-01-01', '0001-01-01', '1969-12-31', '9999-12-31']) {
      for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        assert.deepEqual(await slots('ada/talk', { dateFrom: date, dateTo: date, timezone }), [])
      }
    }
  })

  it('answers 404 before it checks the query', async () => {
    for (const path of ['ada/nothing', 'nobody/talk', 'ada/TALK', 'ada/%00']) {
      await refusal(`${path}/slots`, 404)
      await refusal(`${path}/slots?dateFrom=x&dateTo=y&timezone=z`, 404)
    }
  })

  // Abuse configuration

  const configOf = async (abuse: Partial<AbusePrevention>) => {
    const { slug } = await addEventType(db(), ada, { abuse: { ...PLAIN_ABUSE, ...abuse } })
    const reply = await get(`ada/${slug}/abuse-config`)
    assert.equal(reply.statusCode, 200)
    return { slug, config: reply.json() }
  }

  it('tells of nothing where nothing is on, in the same four fields', async () => {
    const { config } = await configOf({})
    assert.deepEqual(config, {
      enableHoneypot: false,
      enableCaptcha: false,
      captchaProvider: '',
      captchaSiteKey: '',
    })
  })

  it('tells of a honeypot', async () => {
    const { config } = await configOf({ honeypot: true })
    assert.deepEqual(config, {
      enableHoneypot: true,
      enableCaptcha: false,
      captchaProvider: '',
      captchaSiteKey: '',
    })
  })

  it('tells where to get a challenge, for ALTCHA alone', async () => {
    const { slug, config } = await configOf({ captcha: 'altcha' })
    assert.deepEqual(config, {
      enableHoneypot: false,
      enableCaptcha: true,
      captchaProvider: 'altcha',
      captchaSiteKey: '',
      captchaChallengeUrl: `https://book.example.com/api/public/scheduling/ada/${slug}/challenge`,
    })
  })

  it('gives the public key of a challenge service, or an empty one where none is set', async () => {
    const keys = { turnstile: 'turnstile-site', hcaptcha: 'hcaptcha-site', recaptcha: '' } as const
    for (const captcha of ['turnstile', 'hcaptcha', 'recaptcha'] as const) {
      const { config } = await configOf({ captcha })
      assert.deepEqual(config, {
        enableHoneypot: false,
        enableCaptcha: true,
        captchaProvider: captcha,
        captchaSiteKey: keys[captcha],
      })
    }
  })

  it('keeps blocklist, limits and secrets to itself', async () => {
    const { slug } = await configOf({ captcha: 'turnstile', blocklist: ['spam.example'], rateLimit: 3 })
    for (const path of ['ada', `ada/${slug}/abuse-config`]) {
      assert.doesNotMatch((await get(path)).body, /spam\.example|hush|rateLimit|blocklist/)
    }
    assert.doesNotMatch(
      (await app.inject({ url: `/api/embed/ada/${slug}` })).body,
      /spam\.example|hush|blocklist/,
    )
  })

  it('answers 404 for the configuration of unknown event types', async () => {
    for (const path of ['ada/nothing', 'nobody/talk', 'nobody/nothing'])
      await refusal(`${path}/abuse-config`, 404)
  })

  // Challenge

  it('hands out a fresh challenge each time, where ALTCHA is on', async () => {
    const { slug } = await configOf({ captcha: 'altcha' })
    const [first, second] = [await get(`ada/${slug}/challenge`), await get(`ada/${slug}/challenge`)]
    assert.equal(first.statusCode, 200)
    assert.equal(first.headers['cache-control'], 'no-store')
    assert.equal(typeof first.json().signature, 'string')
    assert.notEqual(first.json().signature, second.json().signature)
  })

  it('has no challenge anywhere else', async () => {
    await refusal(`ada/${talk.slug}/challenge`, 404)
    for (const captcha of ['turnstile', 'hcaptcha', 'recaptcha'] as const) {
      const { slug } = await configOf({ captcha })
      await refusal(`ada/${slug}/challenge`, 404)
    }
    await refusal('ada/nothing/challenge', 404)
  })

  // Reading

  it('answers HEAD like GET, without the body', async () => {
    for (const path of [
      'ada',
      'ada/talk/slots?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC',
      'ada/talk/abuse-config',
    ]) {
      const [head, whole] = [
        await app.inject({ method: 'HEAD', url: `/api/public/scheduling/${path}` }),
        await get(path),
      ]
      assert.deepEqual([head.statusCode, head.body], [200, ''])
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(whole.body)))
    }
  })

  it('writes nothing on any read', async () => {
    const tables = ['bookings', 'claims', 'idempotency_keys', 'used_solutions', 'routing_responses'] as const
    const count = async () =>
      Promise.all(tables.map(async (table) => (await db().selectFrom(table).selectAll().execute()).length))
    const rows = await count()
    for (const path of [
      'ada',
      'ada/talk/slots?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC',
      'ada/talk/abuse-config',
      'nobody',
    ]) {
      await get(path)
    }
    assert.deepEqual(await count(), rows)
  })
})
