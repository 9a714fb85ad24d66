import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Webhook } from 'standardwebhooks'
import { selfSigned } from '../../../test/self-signed.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts'
import { formatSecret } from './signatures.ts'
import { createWebhookSender, type WebhookMessage, type WebhookSender } from './webhook.ts'

const SECRET = formatSecret(Buffer.alloc(32, 7))
const OLD_SECRET = formatSecret(Buffer.alloc(24, 9))

describe('sending a webhook', () => {
  let receiver: WebhookReceiver
  let sender: WebhookSender
  beforeEach(async () => {
    receiver = await startWebhookReceiver()
    sender = createWebhookSender({ allowPrivate: true })
  })
  afterEach(async () => {
    sender.close()
    await receiver.close()
  })

  const message = (given: Partial<WebhookMessage> = {}): WebhookMessage => ({
    url: receiver.url,
    id: 'message-1',
    body: '{"hello":"wörld 🎈"}',
    secrets: [SECRET],
    sentAt: Date.now(),
    ...given,
  })
  const last = () => {
    const found = receiver.received.at(-1)
    assert.ok(found, 'nothing was received')
    return found
  }

  it('arrives so that Standard Webhooks verifies it', async () => {
    const answer = await sender.send(message())
    assert.deepEqual([answer.status, answer.error], [204, ''])
    const { headers, body } = last()
    assert.deepEqual(new Webhook(SECRET).verify(body, headers), { hello: 'wörld 🎈' })
    assert.equal(headers['webhook-id'], 'message-1')
    assert.match(headers['content-type'] ?? '', /^application\/json\b/)
    assert.match(headers['user-agent'] ?? '', /^Punctual/)
    assert.throws(() => new Webhook(OLD_SECRET).verify(body, headers))
    assert.throws(() => new Webhook(SECRET).verify(`${body} `, headers))
  })

  it('is verified by both secrets while one replaces the other', async () => {
    await sender.send(message({ secrets: [SECRET, OLD_SECRET] }))
    const { headers, body } = last()
    for (const secret of [SECRET, OLD_SECRET]) assert.ok(new Webhook(secret).verify(body, headers))
    assert.throws(() => new Webhook(formatSecret(Buffer.alloc(24, 1))).verify(body, headers))
  })

  it('returns the request and the response', async () => {
    receiver.answer(says(422, { 'x-request-id': 'r1' }, 'no, thank you'))
    const answer = await sender.send(message())
    assert.deepEqual([answer.status, answer.body], [422, 'no, thank you'])
    assert.match(answer.error, /422/)
    assert.equal(answer.headers['x-request-id'], 'r1')
    assert.ok(answer.duration >= 0)
    for (const [name, value] of Object.entries(answer.requestHeaders)) {
      assert.equal(last().headers[name], value)
    }
  })

  it('succeeds only with a 2xx', async () => {
    for (const [status, arrived] of [
      [200, true],
      [201, true],
      [202, true],
      [299, true],
      [300, false],
      [304, false],
      [400, false],
      [404, false],
      [410, false],
      [500, false],
      [503, false],
    ] as const) {
      receiver.answer(says(status))
      assert.equal((await sender.send(message())).error === '', arrived, String(status))
    }
  })

  it('follows no redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer(says(status, { location: '/elsewhere' }))
      const answer = await sender.send(message())
      assert.equal(answer.status, status)
      assert.match(answer.error, /Redirects are not followed/)
    }
    assert.ok(receiver.received.every(({ path }) => path === '/hook'))
  })

  it('gives up on a receiver that never answers, and on one that never ends', async (t) => {
    const impatient = createWebhookSender({ allowPrivate: true, timeout: 50 })
    t.after(() => impatient.close())
    receiver.answer(() => {})
    const silent = await impatient.send(message())
    assert.equal(silent.status, null)
    assert.match(silent.error, /no complete response within 0\.05 seconds/)

    // On a busy machine, the half that comes may take a while.
    const patient = createWebhookSender({ allowPrivate: true, timeout: 4000 })
    t.after(() => patient.close())
    receiver.answer((response) => response.writeHead(200).write('half of'))
    const endless = await patient.send(message())
    assert.deepEqual([endless.status, endless.body], [200, 'half of'])
    assert.match(endless.error, /no complete response/)
  })

  it('gives up on a name server that never answers', async () => {
    const impatient = createWebhookSender({
      allowPrivate: true,
      timeout: 50,
      resolve: () => new Promise(() => {}),
    })
    const answer = await impatient.send(message({ url: 'http://receiver.example/' }))
    assert.match(answer.error, /no complete response/)
    impatient.close()
  })

  it('keeps 16 KB of a response, and drops the rest', async () => {
    const dropped = Promise.withResolvers<void>()
    receiver.answer((response) => {
      response.on('close', dropped.resolve)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(4096)));
      }
      response.writeHead(200).on('drain', more)
      more()
    })
    const answer = await sender.send(message())
    assert.deepEqual([answer.status, answer.error], [200, ''])
    assert.equal(answer.body, 'x'.repeat(16 * 1024))
    await dropped.promise
  })

  it('keeps any response as text that every database can hold', async () => {
    receiver.answer(says(200, {}, Buffer.from([0, 0xff, 0xc3, 0x28, 0x41])))
    const { body } = await sender.send(message())
    assert.ok(body.isWellFormed() && !body.includes('\u0000') && body.endsWith('A'))
  })

  it('reports that no server listens', async () => {
    await receiver.close()
    const answer = await sender.send(message())
    assert.equal(answer.status, null)
    assert.match(answer.error, /ECONNREFUSED/)
    receiver = await startWebhookReceiver()
  })

  it('fails when the connection breaks in the middle of an answer', async () => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('some', () => response.destroy())
    })
    const answer = await sender.send(message())
    assert.notEqual(answer.error, '')
  })

  it('reuses a connection, and opens another if it was closed in between', async () => {
    for (let n = 0; n < 5; n++) assert.equal((await sender.send(message())).error, '')
    assert.equal(receiver.connections(), 1)

    // The receiver closes the connection on the next request, without a response.
    receiver.answer((response) => {
      receiver.answer(says(204))
      response.socket?.resetAndDestroy()
    })
    assert.equal((await sender.send(message())).error, '')
    assert.equal(receiver.connections(), 2)
  })

  it('sends many at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => sender.send(message({ id: `m${n}` }))),
    )
    assert.ok(answers.every(({ error }) => error === ''))
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 100)
  })

  it('connects to the very address that was checked', async () => {
    const asked: string[] = []
    const careful = createWebhookSender({
      allowPrivate: true,
      timeout: 60_000,
      resolve: async (hostname) => {
        asked.push(hostname)
        // A second lookup for the connection would get another address.
        return [{ address: asked.length === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
      },
    })
    const answer = await careful.send(message({ url: `http://receiver.example:${receiver.port}/hook` }))
    assert.equal(answer.error, '')
    assert.deepEqual(asked, ['receiver.example'])
    assert.equal(last().headers.host, `receiver.example:${receiver.port}`)
    careful.close()
  })
})

describe('sending a webhook where private addresses are refused', () => {
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await startWebhookReceiver()
  })
  after(() => receiver.close())

  const refused = async (sender: WebhookSender, url: string) => {
    const answer = await sender.send({ url, id: 'm', body: '{}', secrets: [SECRET], sentAt: 0 })
    assert.equal(answer.status, null, url)
    assert.match(answer.error, /not on the public internet|start with https/, url)
    assert.equal(receiver.connections(), 0, url)
  }

  it('makes no connection to a refused address, in any notation', async () => {
    const sender = createWebhookSender({ allowPrivate: false })
    const { port } = receiver
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '0',
      'localhost',
    ]) {
      await refused(sender, `https://${host}:${port}/hook`)
    }
    await refused(sender, receiver.url)
  })

  it('makes none to a name that was public when it was saved, and is private now', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const sender = createWebhookSender({
      allowPrivate: false,
      resolve: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }],
    })
    const url = `https://rebinding.example:${receiver.port}/hook`
    await sender.check(url)
    await refused(sender, url)
  })

  it('makes none to a name with a private address among public ones', async () => {
    const sender = createWebhookSender({
      allowPrivate: false,
      resolve: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '93.184.215.14', family: 4 },
      ],
    })
    await refused(sender, `https://both.example:${receiver.port}/hook`)
  })
})

describe('sending a webhook by https', () => {
  it('checks whose certificate it is, and by the name that was asked for', async (t) => {
    const ours = selfSigned('receiver.example')
    const receiver = await startWebhookReceiver(ours)
    const sender = createWebhookSender({
      allowPrivate: true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    t.after(() => {
      sender.close()
      return receiver.close()
    })
    const send = (host: string) =>
      sender.send({
        url: `https://${host}:${receiver.port}/hook`,
        id: 'm',
        body: '{}',
        secrets: [SECRET],
        sentAt: Date.now(),
      })
    assert.match((await send('receiver.example')).error, /self-signed/)
    setDefaultCACertificates([...getCACertificates('default'), ours.cert])
    assert.equal((await send('receiver.example')).error, '')
    assert.match((await send('other.example')).error, /other\.example/)
    assert.equal(receiver.received.length, 1)
    assert.ok(new Webhook(SECRET).verify('{}', receiver.received[0]?.headers ?? {}))
  })
})
