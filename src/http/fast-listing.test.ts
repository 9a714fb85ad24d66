import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, before, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../test/databases.ts'
import { addEventType, addUser, appOn, stoppedClock, weekdays } from '../../test/kit.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Asia%2FKathmandu',
  'America/Argentina/Buenos_Aires',
  'Pacific/Kiritimati',
]

onEveryDatabase('fast slot listings', ({ db }) => {
  let app: FastifyInstance
  let port: number

  before(async () => {
    const user = await addUser(db(), 'ada', weekdays('America/New_York'))
    await addEventType(db(), user, { slug: 'talk', durations: [30, 60] })
    ;({ app } = await appOn(db(), { now: stoppedClock().now }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => app.close())

  const pathOf = (from: number, zone: string, to = from) =>
    `/api/public/scheduling/ada/talk/slots?dateFrom=2027-01-${from + 10}&dateTo=2027-02-${to + 10}&timezone=${zone}`
  /** Over a socket, so that the fast path answers. */
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }
  /** By the app itself. */
  const appSays = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ url })
    return { status: statusCode, headers: new Headers(headers as Record<string, string>), body }
  }

  it('give many concurrent requests the app’s answers', async () => {
    const paths = ZONES.flatMap((zone) => Array.from({ length: 10 }, (_, i) => pathOf(i, zone)))
    const answers = await Promise.all([...paths, ...paths].map(ask))
    for (const [i, path] of paths.entries()) {
      const { body } = await appSays(path)
      assert.ok(JSON.parse(body).length > 15)
      assert.equal(answers[i]?.body, body, path)
      assert.equal(answers[i + paths.length]?.body, body, path)
    }
  })

  it('list the length that is asked for, each under its own address', async () => {
    const bodies = new Set<string>()
    for (const query of ['', '&duration=30', '&duration=60', '&duration=60', '&duration=45']) {
      const path = pathOf(1, 'UTC') + query
      const answer = await ask(path)
      assert.deepEqual(
        [answer.status, answer.body],
        [query.endsWith('45') ? 400 : 200, (await appSays(path)).body],
      )
      bodies.add(answer.body)
    }
    assert.equal(bodies.size, 3)
  })

  it('do not overwrite an answer that a slow client is still reading', { timeout: 120_000 }, async () => {
    // More than the sockets' own buffers hold, so that the last of it waits here.
    const slow = connect({ port, host: '127.0.0.1' })
    await once(slow, 'connect')
    slow.pause()
    // None asked for twice: those are kept, in memory of their own.
    const wanted = ZONES.flatMap((zone) =>
      Array.from({ length: 60 }, (_, i) => pathOf(i % 6, zone, 9 + Math.floor(i / 6))),
    )
    slow.write(wanted.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    // Other requests are served in between, from memory that may just have been used.
    for (const zone of ZONES) for (let i = 6; i < 10; i++) await ask(pathOf(i, zone, 11))

    const expected = new Map<string, string>()
    for (const path of new Set(wanted)) expected.set(path, (await appSays(path)).body)
    let received = ''
    slow.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    const lengthOf = (path: string) => (expected.get(path) as string).length
    const last = expected.get(wanted.at(-1) as string) as string
    const complete = () => received.split('HTTP/1.1 200').length > wanted.length && received.endsWith(last)
    slow.resume()
    while (!complete()) await once(slow, 'data')
    let at = 0
    for (const path of wanted) {
      at = received.indexOf('\r\n\r\n', at) + 4
      assert.equal(received.slice(at, at + lengthOf(path)), expected.get(path), path)
      at += lengthOf(path)
    }
    slow.destroy()
  })

  it('send the app’s headers', async () => {
    const [fast, fromApp] = [await ask(pathOf(3, 'UTC')), await appSays(pathOf(3, 'UTC'))]
    for (const name of [
      'content-type',
      'cache-control',
      'access-control-allow-origin',
      'x-content-type-options',
      'vary',
    ]) {
      assert.notEqual(fromApp.headers.get(name), null)
      assert.equal(fast.headers.get(name), fromApp.headers.get(name), name)
    }
  })

  it('have the head that Node.js writes for the app', async () => {
    /** The lines of the answer's head, and whether the connection is closed after it. */
    const headOf = async (path: string, version: string, ...more: readonly string[]) => {
      const client = connect({ port, host: '127.0.0.1' }).setEncoding('latin1')
      client.write([`GET ${path} HTTP/${version}`, 'Host: x', ...more, '', ''].join('\r\n'))
      let received = ''
      const closed = new Promise<true>((resolve) => client.once('end', () => resolve(true)))
      const complete = new Promise<false>((resolve) => {
        client.on('data', (text: string) => {
          received += text
          if (received.endsWith(']}]') && !/^connection: close$/im.test(received)) resolve(false)
        })
      })
      const isClosed = await Promise.race([closed, complete])
      client.destroy()
      const [head = ''] = received.split('\r\n\r\n', 1)
      // The app's alone: a listing has none of the headers that this one lets scripts read.
      const shared = head.replace(/^access-control-expose-headers: .*\r\n/im, '')
      const [status, ...lines] = shared.replace(/^date: (.*) GMT$/im, 'date: now').split('\r\n')
      const date = /^date: (.*)$/im.exec(head)?.[1] ?? ''
      assert.ok(Math.abs(Date.parse(date) - Date.now()) < 60_000, date)
      return { status, lines: lines.map((line) => line.toLowerCase()).sort(), isClosed }
    }
    const path = pathOf(8, 'UTC')
    // In another order, the app answers.
    const appPath = path.replace(/\?(.*)&(timezone=.*)/, '?$2&$1')
    for (const [version, ...more] of [
      ['1.1'],
      ['1.1', 'Connection: keep-alive'],
      ['1.1', 'Connection: close'],
      ['1.0'],
      ['1.0', 'Connection: keep-alive'],
    ] as const) {
      // Once made for one request, then from the cache.
      const expected = await headOf(appPath, version, ...more)
      assert.equal(expected.isClosed, more[0] === 'Connection: close' || (version === '1.0' && !more[0]))
      for (let time = 0; time < 3; time++) assert.deepEqual(await headOf(path, version, ...more), expected)
    }
  })

  it('are compressed for clients that ask, as often as they ask', async () => {
    const path = pathOf(7, 'Europe/Berlin')
    const plain = Buffer.from((await appSays(path)).body)
    assert.ok(plain.length > 10_000)
    const raw = (headers: Record<string, string>) =>
      new Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }>(
        (resolve, reject) => {
          const request = get({ host: '127.0.0.1', port, path, headers }, async (response) => {
            const body = Buffer.concat(await response.toArray())
            assert.equal(Number(response.headers['content-length']), body.length)
            resolve({ encoding: response.headers['content-encoding'], vary: response.headers.vary, body })
          })
          request.on('error', reject)
        },
      )
    // The first is made for one request; the second is kept, and its compressed bytes with it.
    for (let time = 0; time < 4; time++) {
      const [br, gzip] = [
        await raw({ 'accept-encoding': 'gzip, br' }),
        await raw({ 'accept-encoding': 'gzip' }),
      ]
      assert.deepEqual([br.encoding, br.vary], ['br', 'Accept-Encoding'])
      assert.deepEqual([gzip.encoding, gzip.vary], ['gzip', 'Accept-Encoding'])
      assert.ok(brotliDecompressSync(br.body).equals(plain))
      assert.ok(gunzipSync(gzip.body).equals(plain))
      assert.ok(br.body.length * 8 < plain.length, `${br.body.length} of ${plain.length}`)
      for (const accepted of [
        {},
        { 'accept-encoding': 'identity' },
        { 'accept-encoding': 'br;q=0, gzip; q=0.0' },
      ]) {
        const { encoding, vary, body } = await raw(accepted)
        assert.deepEqual([encoding, vary], [undefined, 'Accept-Encoding'])
        assert.ok(body.equals(plain))
      }
    }
    const fromApp = await app.inject({ url: path, headers: { 'accept-encoding': 'br' } })
    assert.equal(fromApp.headers['content-encoding'], 'br')
    assert.ok(brotliDecompressSync(fromApp.rawPayload).equals(plain))
  })

  it('are sent as they are if they are short', async () => {
    const url = pathOf(7, 'UTC').replace(/dateTo=[\d-]+/, 'dateTo=2027-01-17')
    const { headers, body } = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([headers['content-encoding'], body], [undefined, '[]'])
  })

  it('leave invalid requests to the app', async () => {
    const wrong = {
      'an unknown event type': pathOf(1, 'UTC').replace('talk', 'nothing'),
      'an unknown zone': pathOf(1, 'Mars/Olympus'),
      'a date that is none': pathOf(1, 'UTC').replace('2027-01-11', '2027-02-30'),
      'dates in the wrong order': pathOf(1, 'UTC').replace('2027-01-11', '2028-01-11'),
      'a missing parameter': pathOf(1, 'UTC').replace(/&timezone.*/, ''),
    }
    for (const [what, path] of Object.entries(wrong)) {
      const { status, body } = await ask(path)
      const expected = await appSays(path)
      assert.ok(status === 400 || status === 404, what)
      assert.deepEqual({ status, body }, { status: expected.status, body: expected.body }, what)
    }
  })
})
