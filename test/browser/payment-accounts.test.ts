import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { stripeProvider } from '../../src/outside/payments/stripe/stripe.ts'
import { addTeam, addUser } from '../kit.ts'
import { type StripeStandIn, startStripe } from '../outside/stripe.ts'
import { visitAsHost } from './host.ts'
import { openStage, type Stage } from './stage.ts'

describe('accounts for payments in the dashboard', () => {
  let stage: Stage
  let stripe: StripeStandIn

  before(async () => {
    stripe = await startStripe()
    stage = await openStage({ payments: stripeProvider({ apiUrl: stripe.url }) })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await stripe?.close()
  })

  it('are connected with a key, for the host and for a team, and disconnected', async () => {
    const host = await addUser(stage.db, 'ada')
    const team = await addTeam(stage.db, 'tutors')
    const member = { team_id: team.id, user_id: host.id, role: 'owner' as const, created_at: 0 }
    await stage.db.insertInto('team_members').values(member).execute()
    const page = await visitAsHost(stage, 'ada@hosts.example', '/app/calendars')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const key = page.getByLabel('Secret or restricted key')

    await button('Connect Stripe').click()
    const link = page.getByRole('link', { name: 'Create a restricted key at Stripe' })
    assert.match((await link.getAttribute('href')) ?? '', /rak_checkout_session_write/)
    await key.fill('sk_test_wrong')
    await button('Connect').click()
    await page.getByText('Stripe does not accept this key.').waitFor()
    await key.fill(stripe.key)
    await button('Connect').click()
    await page.getByText('Stripe · Mine · connected').waitFor()

    await button('Connect Stripe').click()
    await key.fill(stripe.key)
    await button('Connect').click()
    await page.getByText(`Stripe · ${team.name} · connected`).waitFor()
    assert.equal(stripe.endpoints.length, 2)
    assert.equal(await button('Connect Stripe').count(), 0)

    await stage.db.updateTable('payment_accounts').set({ status: 'reconnect' }).execute()
    await page.reload()
    const reconnect = button(`Reconnect ${stripe.account.name}`).first()
    await reconnect.click()
    await key.fill(stripe.key)
    await button('Connect').click()
    await page.getByText('Stripe · Mine · connected').waitFor()

    await button(`Disconnect ${stripe.account.name}`).first().click()
    await page.getByText('Guests can no longer pay through this account.').waitFor()
    await page.locator('.dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    await button('Connect Stripe').waitFor()
  })
})
