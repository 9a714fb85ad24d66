import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'
import { newId } from '../../../store/new-id.ts'

const talk = { slug: 'talk', name: 'Talk', durationMinutes: 30, durations: [30, 60] }
const price = {
  amount: 4900,
  currency: 'EUR',
  refund: { fullUntilMinutes: 1440, laterPercent: 50 },
  byDuration: { '60': 8900 },
}

onEveryDatabase('the price of an event type', ({ db }) => {
  let app: FastifyInstance
  let ada: Host

  before(async () => {
    const made = await appOn(db(), { signup: 'open' })
    app = made.app
    ada = await signIn(app, made.mailbox, 'ada@hosts.example')
  })

  it('is refused until someone can be paid', async () => {
    const before = (await ada.get('/event-types')).json().items.length
    const refused = await ada.post('/event-types', { ...talk, price })
    assert.equal(refused.statusCode, 400, refused.body)
    assert.equal(refused.headers['error-field'], 'price')
    assert.match(refused.json().error, /^Connect an account that gets the money first\./)
    assert.equal((await ada.get('/event-types')).json().items.length, before)
    const german = await ada.post('/event-types', { ...talk, price }, { 'accept-language': 'de' })
    assert.match(german.body, /Konto verbinden/)
  })

  it('is kept, shown to guests without its refund rule, and told to agents and to programs for Cal.com', async () => {
    await db()
      .insertInto('payment_accounts')
      .values({
        id: newId(),
        scheduler_id: ada.user.id,
        provider: 'stripe',
        account: 'acct_1',
        name: 'Ada',
        sealed_key: '',
        hook_id: '',
        sealed_hook_secret: '',
        status: 'ok',
        last_error: '',
        created_at: 0,
      })
      .execute()
    const made = await ada.post('/event-types', { ...talk, price })
    assert.equal(made.statusCode, 201, made.body)
    assert.deepEqual(made.json().price, price)

    const { refund: _, ...shown } = price
    const slug = ada.user.slug
    const profile = await app.inject({ url: `/api/public/scheduling/${slug}` })
    assert.deepEqual(profile.json().eventTypes[0].price, shown, profile.body)
    const guide = await app.inject({ url: `/${slug}/talk.json` })
    assert.deepEqual(guide.json().eventType.price, shown, guide.body)
    const text = await app.inject({ url: `/${slug}/talk.md` })
    assert.match(text.body, /30 minutes €49\.00, 60 minutes €89\.00 \(EUR\)/)
    assert.match(text.body, /`paymentUrl` and `payBy`/)
    const page = await app.inject({ url: `/${slug}/talk?lang=de` })
    assert.match(page.body, /<span>49,00\s€<\/span>/u)
    const calcom = await app.inject({
      url: `/v2/event-types?username=${slug}`,
      headers: { 'cal-api-version': '2024-06-14' },
    })
    assert.equal(calcom.json().data[0].price, 4900, calcom.body)
    assert.equal(calcom.json().data[0].currency, 'eur')
  })

  it('names the field that is wrong, in words', async () => {
    const refusals: [object, string, RegExp][] = [
      [{ amount: 0 }, 'price.amount', /^The amount must be a whole number from 1/],
      [{ amount: 49.5 }, 'price.amount', /^The amount must be/],
      [{ currency: 'eur' }, 'price.currency', /^The currency must be/],
      [{ byDuration: { '45': 100 } }, 'price.byDuration.45', /can’t choose: 45 minutes/],
      [
        { refund: { fullUntilMinutes: 0, laterPercent: 101 } },
        'price.refund.laterPercent',
        /^The share that is refunded later must be a whole number from 0 to 100/,
      ],
    ]
    for (const [wrong, field, sentence] of refusals) {
      const refused = await ada.post('/event-types', {
        ...talk,
        slug: 'other',
        price: { ...price, ...wrong },
      })
      assert.equal(refused.statusCode, 400, refused.body)
      assert.equal(refused.headers['error-field'], field, refused.body)
      assert.match(refused.json().error, sentence)
    }
  })

  it('stays with an event type whose account is gone, but can’t be changed', async () => {
    const [made] = (await ada.get('/event-types')).json().items
    await db().deleteFrom('payment_accounts').execute()
    const renamed = await ada.patch(`/event-types/${made.id}`, { name: 'Chat', price })
    assert.equal(renamed.statusCode, 200, renamed.body)
    const dearer = await ada.patch(`/event-types/${made.id}`, { price: { ...price, amount: 5900 } })
    assert.equal(dearer.statusCode, 400, dearer.body)
    const free = await ada.patch(`/event-types/${made.id}`, { price: null })
    assert.equal(free.json().price, null, free.body)
  })
})
