import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { CalDavServer } from '../../../../test/caldav-server.ts'
import { CALDAV_SERVERS } from '../../../../test/calendar-servers.ts'
import { openGuard } from '../../../../test/kit.ts'
import { Zones } from '../../../domain/zone.ts'
import { ask, type CalendarServer, ServerFailure } from '../calendar-server.ts'
import { eventTextsOf } from '../multistatus.ts'
import { readBusyApart } from '../reading-threads.ts'
import {
  deleteEvent,
  discoverCalendars,
  findCtag,
  findEvent,
  putEvent,
  queryEvents,
  readEvent,
} from './caldav.ts'

const NOON = Date.UTC(2027, 0, 12, 12)
const HOUR = 3_600_000

const eventText = (uid: string, start = '20270112T090000Z', ...more: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20270101T000000Z',
    `DTSTART:${start}`,
    'DURATION:PT1H',
    'SUMMARY:<Tea> & cake',
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

for (const { name, start } of CALDAV_SERVERS) {
  describe(`CalDAV with ${name}`, () => {
    let remote: CalDavServer
    let server: CalendarServer
    before(async () => {
      remote = await start()
      server = { guard: openGuard, owner: 'ada', username: remote.username, password: remote.password }
    })
    after(() => remote.stop())

    it('finds the calendars for events, from the server’s address, the user’s or a calendar’s own', async () => {
      for (const start of [remote.url, `${remote.url}/${remote.username}/`, remote.work]) {
        const found = await discoverCalendars(server, start)
        const names = found.map(({ url, name, writable }) => `${url} ${name} ${writable}`).sort()
        assert.deepEqual(names, [`${remote.home} home & more true`, `${remote.work} work & more true`], start)
      }
    })

    it('says that a password is wrong', async () => {
      await assert.rejects(
        discoverCalendars({ ...server, password: 'wrong' }, remote.url),
        (error: Error) => {
          assert.ok(error instanceof ServerFailure)
          assert.match(error.message, /refused the user name and password/)
          return true
        },
      )
    })

    it('reads the events of a span, and sees by the ctag when something has changed', async () => {
      const before = await findCtag(server, remote.home)
      assert.notEqual(before, '')
      await remote.request('PUT', `${remote.home}one.ics`, eventText('one'))
      const changed = await findCtag(server, remote.home)
      assert.notEqual(changed, before)
      assert.equal(await findCtag(server, remote.home), changed)
      const answer = await queryEvents(server, remote.home, {
        start: NOON - 24 * HOUR,
        end: NOON + 24 * HOUR,
      })
      const texts = eventTextsOf(answer)
      assert.equal(texts.length, 1)
      assert.match(texts[0] ?? '', /SUMMARY:<Tea> & cake/)
      const { busy } = await readBusyApart(
        'ada',
        {
          body: answer,
          format: 'multistatus',
          question: {
            span: { start: NOON - 24 * HOUR, end: NOON + 24 * HOUR },
            timeZone: 'UTC',
            own: [],
            addresses: [],
            tentative: 'busy',
          },
        },
        new Zones(),
      )
      assert.deepEqual(busy, [{ start: NOON - 3 * HOUR, end: NOON - 2 * HOUR }])
    })

    it('writes an event only over what it has seen', async () => {
      const url = `${remote.work}first.ics`
      assert.equal(await readEvent(server, url), undefined)
      assert.equal(await putEvent(server, url, eventText('first'), undefined), 'done')
      assert.equal(await putEvent(server, url, eventText('first'), undefined), 'changed')
      const seen = await readEvent(server, url)
      assert.ok(seen)
      await remote.request('PUT', url, eventText('first', '20270113T090000Z'))
      assert.equal(await putEvent(server, url, eventText('first', '20270114T090000Z'), seen), 'changed')
      const again = await readEvent(server, url)
      assert.ok(again)
      assert.equal(await putEvent(server, url, eventText('first', '20270114T090000Z'), again), 'done')
      assert.match((await readEvent(server, url))?.text ?? '', /DTSTART:20270114T090000Z/)
      // The same for deleting.
      assert.equal(await deleteEvent(server, again), 'changed')
      const last = await readEvent(server, url)
      assert.ok(last)
      assert.equal(await deleteEvent(server, last), 'done')
      assert.equal(await deleteEvent(server, last), 'done')
      assert.equal(await readEvent(server, url), undefined)
    })

    it('finds an event by its UID, wherever another program has put it', async () => {
      await remote.request('PUT', `${remote.work}by-hand.ics`, eventText('accepted@punctual'))
      const outcome = await putEvent(
        server,
        `${remote.work}ours.ics`,
        eventText('accepted@punctual'),
        undefined,
      )
      assert.equal(outcome, 'elsewhere')
      const found = await findEvent(server, remote.work, 'accepted@punctual')
      assert.equal(found?.url, `${remote.work}by-hand.ics`)
      assert.equal(await findEvent(server, remote.work, 'nobody@punctual'), undefined)
    })
  })
}

describe('a calendar server', () => {
  const server: CalendarServer = {
    guard: openGuard,
    owner: 'ada',
    username: 'ada',
    password: 'secret',
    timeout: 60_000,
  }

  /** Runs `work` against a server that answers like this. */
  async function against(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
    const http = createServer(listener).listen(0, '127.0.0.1')
    await once(http, 'listening')
    try {
      await work(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
    } finally {
      http.closeAllConnections()
      http.close()
    }
  }

  const fails = (attempt: Promise<unknown>, sentence: RegExp) =>
    assert.rejects(attempt, (error: Error) => {
      assert.ok(error instanceof ServerFailure, String(error))
      assert.match(error.message, sentence)
      return true
    })

  it('that never answers, or never finishes, times out', async () => {
    const silent: RequestListener = () => {}
    const endless: RequestListener = (_request, response) => response.write('BEGIN:VCALENDAR')
    for (const listener of [silent, endless]) {
      await against(listener, (url) =>
        fails(ask({ ...server, timeout: 200 }, { method: 'GET', url }), /did not answer within 0.2/),
      )
    }
  })

  it('that cannot be reached fails without further details', async () => {
    let gone = ''
    await against(
      () => {},
      async (url) => {
        gone = url
      },
    )
    await fails(ask(server, { method: 'GET', url: gone }), /^The server could not be reached\.$/)
  })

  it('that sends more than 10 MB is cut off', async () => {
    const flood: RequestListener = (_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1 << 20))) {}
      }
      response.on('drain', more)
      more()
    }
    await against(flood, (url) => fails(ask(server, { method: 'GET', url }), /10 MB/))
  })

  it('that answers with something else is refused', async () => {
    const garbage: readonly [number, string][] = [
      [200, '<html>Sign in</html>'],
      [207, '<html>Sign in</html>'],
      [207, '{"not":"xml"}'],
      [207, '<d:multistatus xmlns:d="DAV:"><d:response>'],
      [500, ''],
    ]
    for (const [status, body] of garbage) {
      await against(
        (_request, response) => response.writeHead(status).end(body),
        async (url) => {
          await fails(discoverCalendars(server, url), /CalDAV|answered 500/)
          await fails(
            queryEvents(server, url, { start: NOON, end: NOON + HOUR }).then(eventTextsOf),
            /CalDAV|answered 500/,
          )
        },
      )
    }
  })

  it('that sends only a part of the events fails as a whole', async () => {
    const response = (inner: string) => `<d:response><d:href>/a.ics</d:href>${inner}</d:response>`
    const whole = response(
      `<d:propstat><d:prop><c:calendar-data>${eventText('whole').replaceAll(/[<>&]/g, '')}</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`,
    )
    const answer = (...responses: string[]) =>
      `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses.join('')}</d:multistatus>`
    const deleted = response('<d:status>HTTP/1.1 404 Not Found</d:status>')
    assert.equal(eventTextsOf(answer(whole, deleted)).length, 1)
    for (const part of [
      answer(whole, response('<d:status>HTTP/1.1 507 Insufficient Storage</d:status>')),
      answer(
        whole,
        response(
          '<d:propstat><d:prop><c:calendar-data/></d:prop><d:status>HTTP/1.1 500 No</d:status></d:propstat>',
        ),
      ),
      answer(whole).slice(0, -10),
      answer(whole, whole).slice(0, 400),
    ]) {
      assert.throws(() => eventTextsOf(part), ServerFailure, part)
    }
  })

  it('that redirects is followed, without the password, a limited number of times', async () => {
    await against(
      (request, response) => response.end(request.headers.authorization ?? 'none'),
      async (other) => {
        await against(
          (request, response) => {
            if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
            else if (request.url === '/own') response.end(request.headers.authorization)
            else response.writeHead(302, { location: request.url === '/' ? '/own' : other }).end()
          },
          async (url) => {
            const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`
            assert.equal((await ask(server, { method: 'GET', url: `${url}/` })).text, basic)
            assert.equal((await ask(server, { method: 'GET', url: `${url}/away` })).text, 'none')
            await fails(ask(server, { method: 'GET', url: `${url}/loop` }), /redirects too many times/)
          },
        )
      },
    )
  })

  it('is asked about every address on the way, by name and by number', async () => {
    const asked: string[] = []
    const guard = {
      ...openGuard,
      read: (address: string) => {
        asked.push(new URL(address).pathname)
        if (address.includes('/inside')) throw new Error('Not there.')
        return new URL(address)
      },
    }
    await against(
      (_request, response) => response.writeHead(302, { location: '/inside' }).end(),
      async (url) => {
        await fails(ask({ ...server, guard }, { method: 'GET', url: `${url}/door` }), /^Not there\.$/)
      },
    )
    assert.deepEqual([...new Set(asked)], ['/door', '/inside'])
    const refusal = Object.assign(new Error('"private.example" is not public.'), { name: 'RefusedAddress' })
    const lookup: typeof guard.lookup = (_name, _options, callback) => callback(refusal, '')
    const private_ = { ...server, guard: { ...openGuard, lookup } }
    await fails(ask(private_, { method: 'GET', url: 'http://private.example/' }), /is not public/)
  })
})
