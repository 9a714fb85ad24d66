import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn, stoppedClock } from '../../../../test/kit.ts'
import { jpegOf, LOSSY_WEBP, PNG, pngOf } from '../../../../test/pictures.ts'
import type { Mail } from '../../../outside/mail/mail.ts'

const HOUR = 3_600_000

onEveryDatabase('/api/admin/images', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]
  let ada: Host
  let eve: Host

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open', now: clock.now }))
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    eve = await signIn(app, mailbox, 'eve@hosts.example')
  })

  const upload = (host: Host, payload: Buffer, type = 'image/png', query = '') =>
    app.inject({
      method: 'POST',
      url: `/api/admin/images${query}`,
      headers: { authorization: `Bearer ${host.token}`, 'content-type': type },
      payload,
    })
  const uploaded = async (host: Host, payload: Buffer, query = ''): Promise<string> => {
    const answer = await upload(host, payload, 'image/png', query)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().url
  }
  const fetched = (url: string) => app.inject({ url: new URL(url).pathname })
  const profile = async () => (await app.inject(`/api/public/scheduling/${ada.user.slug}`)).json()

  it('takes a picture and serves it to anyone, as what its bytes are', async () => {
    // The name of the type does not matter.
    const answer = await upload(ada, LOSSY_WEBP, 'image/x-anything')
    assert.equal(answer.statusCode, 201, answer.body)
    const { id, ...image } = answer.json()
    const url = `https://book.example.com/images/${id}`
    assert.deepEqual(image, { url, type: 'image/webp', width: 1, height: 1 })
    const served = await fetched(url)
    assert.ok(served.rawPayload.equals(LOSSY_WEBP))
    assert.equal(served.headers['content-type'], 'image/webp')
    assert.equal(served.headers['x-content-type-options'], 'nosniff')
    assert.equal(served.headers['content-security-policy'], "default-src 'none'; sandbox")
    assert.match(String(served.headers['cache-control']), /immutable/)
    assert.equal(await uploaded(ada, LOSSY_WEBP), url, 'the same picture is stored once')
    for (const wrong of ['/images/none', `/images/${ada.user.id}`]) {
      assert.equal((await app.inject(wrong)).statusCode, 404)
    }
  })

  it('refuses everything else with a sentence', async () => {
    for (const [payload, type, status, sentence] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 400, /PNG, JPEG or WebP/],
      [Buffer.from('GIF89a'.padEnd(100)), 'image/png', 400, /PNG, JPEG or WebP/],
      [Buffer.alloc(0), 'image/png', 400, /./],
      [Buffer.concat([PNG, Buffer.alloc(512 * 1024)]), 'image/png', 400, /larger than 512 KB/],
      [Buffer.alloc(3 * 1024 * 1024), 'image/png', 413, /./],
      [pngOf(4097, 10), 'image/png', 400, /4097 by 10 pixels/],
      [PNG, 'text/plain', 415, /./],
      [Buffer.from('{}'), 'application/json', 400, /image itself/],
    ] as const) {
      const answer = await upload(ada, payload, type)
      assert.equal(answer.statusCode, status, answer.body)
      assert.match(answer.json().error, sentence)
    }
    assert.equal((await upload({ ...ada, token: 'x' }, PNG)).statusCode, 401)
  })

  it('is shown by the page that has its address, and deleted when the page has another', async () => {
    const [first, logo, second] = [pngOf(10, 10), pngOf(11, 11), pngOf(12, 12)]
    const [firstUrl, logoUrl] = [await uploaded(ada, first), await uploaded(ada, logo)]
    const saved = await ada.patch('/me', { avatarUrl: firstUrl, branding: { logoUrl } })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.deepEqual([saved.json().avatarUrl, saved.json().branding.logoUrl], [firstUrl, logoUrl])
    const seen = await profile()
    assert.deepEqual([seen.profile.avatarUrl, seen.branding.logoUrl], [firstUrl, logoUrl])

    const secondUrl = await uploaded(ada, second)
    assert.equal((await ada.patch('/me', { avatarUrl: secondUrl })).statusCode, 200)
    assert.equal((await fetched(firstUrl)).statusCode, 404)
    assert.equal((await fetched(logoUrl)).statusCode, 200)
    assert.equal((await ada.patch('/me', { avatarUrl: '' })).statusCode, 200)
    assert.equal((await fetched(secondUrl)).statusCode, 404)
  })

  it('belongs to its owner alone', async () => {
    const mine = await uploaded(ada, jpegOf(20, 20))
    const stolen = await eve.patch('/me', { avatarUrl: mine })
    assert.equal(stolen.statusCode, 400)
    assert.match(stolen.json().error, /upload the image again/)
    assert.equal(stolen.headers['error-field'], 'avatarUrl')

    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const picture = await uploaded(ada, PNG, `?teamId=${team}`)
    assert.equal((await ada.patch('/me', { avatarUrl: picture })).statusCode, 400)
    assert.equal((await ada.patch(`/teams/${team}`, { avatarUrl: picture })).json().avatarUrl, picture)
    assert.equal((await upload(eve, PNG, 'image/png', `?teamId=${team}`)).statusCode, 404)
    const invited = await ada.post(`/teams/${team}/invitations`, { email: eve.user.email, role: 'member' })
    await eve.post(`/invitations/${invited.json().id}/accept`)
    assert.equal((await upload(eve, PNG, 'image/png', `?teamId=${team}`)).statusCode, 403)
    assert.equal((await ada.del(`/teams/${team}`)).statusCode, 204)
    assert.equal((await fetched(picture)).statusCode, 404)
  })

  it('keeps ten at most that no page shows, and those for an hour', async () => {
    const first = await uploaded(eve, pngOf(100, 1))
    for (let i = 1; i < 10; i++) await uploaded(eve, pngOf(100 + i, 1))
    const refused = await upload(eve, pngOf(200, 1))
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['retry-after'], '3600')
    assert.equal((await eve.patch('/me', { avatarUrl: first })).statusCode, 200)
    clock.moveTo(clock.now() + HOUR)
    eve = await signIn(app, mailbox, 'eve@hosts.example')
    const late = await uploaded(eve, pngOf(200, 1))
    const kept = await db()
      .selectFrom('images')
      .select('id')
      .where('scheduler_id', '=', eve.user.id)
      .execute()
    assert.deepEqual(
      kept.map(({ id }) => id).sort(),
      [first, late].map((url) => url.split('/').at(-1)).sort(),
    )
  })
})
