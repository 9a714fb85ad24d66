import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Mail } from '../../src/outside/mail/mail.ts'
import { createLink } from '../../src/services/people/sign-in/sign-in.ts'
import { type AppUnderTest, addUser, appOn } from '../kit.ts'
import { assertAccessible } from './axe.ts'
import { BETWEEN_CHANGES, openStage, overflowOf, type Stage } from './stage.ts'

const EMAIL = 'keyed@hosts.example'
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

describe('passkeys in a browser', () => {
  let stage: Stage
  let under: AppUnderTest
  let app: FastifyInstance
  let mailbox: readonly Mail[]

  before(async () => {
    stage = await openStage()
    // Browsers make passkeys for a domain, and the public address must be known before the app is built.
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    probe.close()
    await once(probe, 'close')
    const publicUrl = `http://localhost:${port}`
    under = await appOn(stage.db, { now: () => BETWEEN_CHANGES, publicUrl, requirePasskey: true })
    ;({ app, mailbox } = under)
    await app.listen({ port, host: '127.0.0.1' })
    await addUser(stage.db, 'keyed')
  })
  after(async () => {
    await app?.close()
    await stage?.close()
  })

  const heading = (page: Page, name: string) => page.getByRole('heading', { name })
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const follow = async (page: Page) => {
    await page.goto(await createLink(under.context, EMAIL))
    await button(page, 'Sign in to Punctual').click()
  }
  const signOut = async (page: Page) => {
    await page.goto(`${under.context.publicUrl}/app/profile`)
    await page
      .getByRole('region', { name: 'Sessions' })
      .getByRole('button', { name: 'Sign out', exact: true })
      .click()
    await page.getByLabel('Your email address').waitFor()
  }

  it('are added, used, lost and recovered from, on a phone', async () => {
    const page = await stage.visit('about:blank', { viewport: { width: 360, height: 740 } })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: AUTHENTICATOR,
    })

    await follow(page)
    await heading(page, 'Add a passkey').waitFor()
    await assertAccessible(page, 'a passkey is required')
    await page.getByLabel('Name').fill('Phone')
    await button(page, 'Create passkey').click()
    const shown = page.locator('[data-secret]')
    await heading(page, 'Your recovery codes').waitFor()
    const codes = (await shown.innerText()).split('\n')
    assert.equal(codes.length, 10)
    assert.equal(await overflowOf(page), 0)
    await button(page, 'I’ve saved it').click()
    await page.locator('.dashboard h1').waitFor()

    await page.goto(`${under.context.publicUrl}/app/profile`)
    const section = page.getByRole('region', { name: 'Passkeys' })
    await section.getByText('10 recovery codes left').waitFor()
    await section.getByText('never used').waitFor()
    assert.equal(await overflowOf(page), 0)
    await section.getByRole('button', { name: 'Add a passkey' }).click()
    await button(page, 'Create passkey').click()
    await page.getByText('This device already has one of your passkeys.').waitFor()
    await button(page, 'Cancel').click()
    await section.getByRole('button', { name: 'Rename Phone' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Blue phone')
    await button(page, 'Rename').click()
    await section.getByText('Blue phone').waitFor()
    assert.equal(await section.getByRole('button', { name: 'Remove Blue phone' }).count(), 0, 'the last one')
    await assertAccessible(page, 'passkeys in the profile', 'main')

    await signOut(page)
    await follow(page)
    await heading(page, 'Confirm with your passkey').waitFor()
    await assertAccessible(page, 'asked for a passkey')
    assert.equal(await overflowOf(page), 0)
    // The heading has the focus: the button is next.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.dashboard h1').waitFor()

    await signOut(page)
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    await follow(page)
    await button(page, 'Use passkey').click()
    await page.getByText('this device doesn’t have your passkey').waitFor()
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await button(page, 'Use a recovery code instead').click()
    await assertAccessible(page, 'asked for a recovery code')
    await page.getByLabel('Recovery code').fill('0000-0000-0000-0000')
    await button(page, 'Sign in to Punctual').click()
    await page.getByText('This is not one of your recovery codes').waitFor()
    await page.getByLabel('Recovery code').fill(codes[4]?.toLowerCase() ?? '')
    await button(page, 'Sign in to Punctual').click()
    await page.locator('.dashboard h1').waitFor()
    await page.goto(`${under.context.publicUrl}/app/profile`)
    await section.getByText('9 recovery codes left').waitFor()
    assert.match(mailbox.at(-1)?.text ?? '', /9 codes left/)
    stage.assertNoComplaints()
  })
})
