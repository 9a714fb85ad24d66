import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'
import type { Context } from '../../../services/context.ts'
import { eraseGuest } from '../../../services/workspace/erasure/erase.ts'

onEveryDatabase('/api/admin/me/saved-filters', ({ db }) => {
  let context: Context
  let ada: Host
  let bob: Host

  before(async () => {
    const { mailbox, app, ...made } = await appOn(db(), { signup: 'open' })
    context = made.context
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
  })

  const MINE = [
    { name: 'Requests', query: 'view=pending&scope=team' },
    { name: 'Ännes', query: 'q=%C3%84nne' },
  ]

  it('keeps what a user saves, for that user', async () => {
    assert.deepEqual((await ada.get('/me/saved-filters')).json(), [])
    const saved = await ada.put('/me/saved-filters', MINE)
    assert.equal(saved.statusCode, 200, saved.body)
    assert.deepEqual(saved.json(), MINE)
    assert.deepEqual((await ada.get('/me/saved-filters')).json(), MINE)
    assert.deepEqual((await bob.get('/me/saved-filters')).json(), [])
  })

  it('refuses what it can’t keep, and changes nothing', async () => {
    const filter = { name: 'One', query: '' }
    const refusals: [object, RegExp][] = [
      [Array.from({ length: 21 }, (_, n) => ({ ...filter, name: `${n}` })), /at most 20/],
      [[filter, filter], /Two filters are called "One"/],
      [[{ ...filter, name: ' ' }], /must not be empty/],
      [[{ ...filter, name: 'x'.repeat(101) }], /at most 100 characters/],
      [[{ ...filter, query: 'x'.repeat(2001) }], /at most 2000 characters/],
      [[{ name: 'One' }], /required/],
      [[{ ...filter, more: 1 }], /more/],
    ]
    for (const [body, said] of refusals) {
      const answer = await ada.put('/me/saved-filters', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, said)
    }
    assert.deepEqual((await ada.get('/me/saved-filters')).json(), MINE)
  })

  it('is part of the account’s export', async () => {
    const exported = await ada.get('/me/export')
    assert.deepEqual(JSON.parse(exported.body).savedFilters, MINE)
  })

  it('loses filters that search for a guest who is erased', async () => {
    const about = { name: 'Grace', query: 'view=past&q=Grace%40guests.example' }
    await ada.put('/me/saved-filters', [...MINE, about])
    await eraseGuest(context, { userId: null, email: 'command line' }, 'grace@guests.example', 'all')
    assert.deepEqual((await ada.get('/me/saved-filters')).json(), MINE)
  })
})
