import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { kindsOf } from '../../src/outside/kinds/kind.ts'
import { REGISTERED } from '../../src/outside/registry.ts'
import { readSettings } from '../../src/settings.ts'
import { providersOf } from '../../src/start.ts'
import { passProvider } from '../connections.ts'
import { orbit } from '../fourth-provider/orbit/kind.ts'
import { addEventType, addUser } from '../kit.ts'
import { NEIL, type OrbitStandIn, startOrbit } from '../outside/orbit.ts'
import { visitAsHost } from './host.ts'
import { openStage, type Stage } from './stage.ts'

const KINDS = kindsOf([...REGISTERED, orbit])

describe('the dashboard with a provider that no page knows', () => {
  let stage: Stage
  let outside: OrbitStandIn

  before(async () => {
    outside = await startOrbit()
    const providers = providersOf(readSettings(outside.environment, KINDS), KINDS)
    stage = await openStage({ providers, kinds: KINDS })
  })
  afterEach(() => stage.endTest())
  after(async () => {
    await stage?.close()
    await outside?.close()
  })

  it('connects an account there, adds its calendar, and offers its links', async () => {
    const host = await addUser(stage.db, 'neil')
    const eventType = await addEventType(stage.db, host, {
      slug: 'talk',
      location: { type: 'Video', value: '' },
    })
    const page = await visitAsHost(stage, 'neil@hosts.example', '/app/calendars')
    const button = (name: string) => page.getByRole('button', { name })
    outside.oauth.redirectUris.add('https://book.example.com/connections/orbit/callback')
    await page.route(`${outside.url}/**`, (route) => route.fulfill({ body: 'Allow?' }))
    await button('Connect Orbit').click()
    await page.getByText('Allow?').waitFor()
    await page.goto(stage.url + (await passProvider({ authorizationUrl: page.url() })))
    await page.getByText('Your Orbit account is connected.').waitFor()
    await page.getByText('Orbit · connected').waitFor()

    await button(`Choose calendars: ${NEIL.address}`).click()
    await button('Add Tranquility').click()
    await page.locator('.dialog').getByText('Added', { exact: true }).waitFor()
    await button('Done').click()
    const row = page.locator('.panel .row', { has: page.getByText('Tranquility', { exact: true }) })
    await row.getByText(/^Orbit ·/).waitFor()

    await page.goto(`${stage.url}/app/event-types/${eventType.id}`)
    const link = page.getByLabel('Meeting link')
    await link.waitFor()
    assert.ok((await link.locator('option').allInnerTexts()).includes('Orbit Room'))
    await link.selectOption({ label: 'Orbit Room' })
    await button('Save changes').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const stored = await stage.db
      .selectFrom('event_types')
      .select('location_provider')
      .where('id', '=', eventType.id)
      .executeTakeFirstOrThrow()
    assert.equal(stored.location_provider, 'orbit-room')
  })
})
