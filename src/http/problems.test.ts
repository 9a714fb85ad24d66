import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { appOn, fromSomeoneNew } from '../../test/kit.ts'
import type { Db } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open-database.ts'

describe('malformed HTTP', () => {
  let db: Db
  let app: FastifyInstance
  let port: number

  /** Sends these bytes and reads until the server hangs up. */
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes, 'latin1')
    const answer = await text(socket)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), head, body }
  }
  const assertProblem = ({ status, head, body }: Awaited<ReturnType<typeof send>>, expected: number) => {
    assert.equal(status, expected, head)
    assert.match(head, /^content-type: application\/json/im)
    assert.match(head, new RegExp(`^content-length: ${Buffer.byteLength(body)}\\r?$`, 'im'))
    const problem = JSON.parse(body)
    assert.deepEqual(Object.keys(problem), ['error'])
    assert.match(problem.error, /^\S.*\.$/)
  }
  const closing = (lines: string[], body = '') => `${[...lines, 'Connection: close', '', body].join('\r\n')}`

  before(async () => {
    db = openDatabase(':memory:')
    app = (await appOn(db)).app
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(async () => {
    await app.close()
    await db.destroy()
  })

  it('is answered with a sentence', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001',
      'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
      'GET\r\n\r\n',
      'GET / SPDY/3\r\n\r\n',
      'MAKE / HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      closing(['POST /api/public/scheduling/a/b/book HTTP/1.1', 'Host: a', 'Content-Length: -1'], '{}'),
      closing(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 2', 'Content-Length: 3'], '{}'),
      closing(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'),
    ]) {
      assertProblem(await send(bytes), 400)
    }
  })

  it('is answered with a sentence when its headers never end', async () => {
    const long = `X-Long: ${'a'.repeat(20_000)}`
    const many = Array.from({ length: 3000 }, (_, i) => `X-${i}: ${i}`).join('\r\n')
    for (const headers of [long, many]) {
      assertProblem(await send(`GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`), 431)
    }
  })

  it('is answered with a sentence when it names no host', async () => {
    assertProblem(await send(closing(['GET /api/public/scheduling/nobody HTTP/1.1'])), 400)
  })

  it('is answered with a sentence for an unsupported Expect header', async () => {
    const lines = ['GET /api/public/scheduling/nobody HTTP/1.1', 'Host: a', 'Expect: wonders']
    assertProblem(await send(closing(lines)), 417)
  })

  it('does not affect later requests', async () => {
    await send('garbage\r\n\r\n')
    const { status } = await send(closing(['GET /nothing/to/be/found HTTP/1.1', 'Host: a']))
    assert.equal(status, 404)
  })
})

describe('server errors', () => {
  const assertProblem = (reply: Reply, status: number) => {
    assert.equal(reply.statusCode, status, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, /^\S.*\.$/)
    assert.doesNotMatch(reply.body, /select|insert|table|sql|schedulers|ECONN|127\.0\.0\.1| at |node:/i)
    assert.equal(reply.headers['access-control-allow-origin'], '*')
  }
  const READING = [
    'scheduling/ada',
    'scheduling/ada/talk/slots',
    'scheduling/ada/talk/abuse-config',
    'routing/ada/contact',
  ]

  it('are 503 with Retry-After while the database is down', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    listener.close()
    await once(listener, 'close')
    const db = openDatabase(`postgres://nobody@127.0.0.1:${port}/nothing`)
    const { app } = await appOn(db)
    for (const path of READING) {
      const reply = await app.inject({ url: `/api/public/${path}` })
      assertProblem(reply, 503)
      assert.ok(Number(reply.headers['retry-after']) >= 1)
    }
    const booking = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/ada/talk/book',
      headers: fromSomeoneNew(),
      payload: {},
    })
    assertProblem(booking, 503)
    await db.destroy()
  })

  it('are 500 without details when it is a bug', async () => {
    // No table was ever made here.
    const db = openDatabase(':memory:')
    const { app } = await appOn(db)
    for (const path of READING) assertProblem(await app.inject({ url: `/api/public/${path}` }), 500)
    await db.destroy()
  })
})
