import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import {
  floatingSnippet,
  inlineSnippet,
  policySnippet,
  popupSnippet,
  ROOM_SNIPPET,
  reactSnippet,
  scriptSnippet,
} from '../../src/format/embed-snippets.ts'
import { calcomSwitches, calendlySwitches, programSwitch } from '../../src/format/switching-snippets.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { addEventType, addUser } from '../kit.ts'
import { assertFramesAccessible } from './axe.ts'
import { openStage, type Stage } from './stage.ts'

describe('the page for developers at /docs/embed', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
    const ada = await addUser(stage.db, 'ada')
    await addEventType(stage.db, ada, { slug: 'talk' })
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
      rules: [],
      fallback: { action: 'message', message: 'We will write to you.' },
    })
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  it('has the code that the tests run, for this service', async () => {
    const page = await stage.visit('/docs/embed?link=ada/talk')
    const { publicUrl } = stage.context
    const shown = await page.locator('pre').allTextContents()
    for (const snippet of [inlineSnippet, popupSnippet, floatingSnippet, reactSnippet]) {
      assert.ok(shown.includes(snippet(publicUrl, 'ada/talk')), snippet.name)
    }
    for (const snippet of [scriptSnippet('ada/talk'), policySnippet(publicUrl), ROOM_SNIPPET]) {
      assert.ok(shown.includes(snippet), snippet)
    }
  })

  it('leads to a page for those who switch, where one address is the difference', async () => {
    const page = await stage.visit('/docs')
    const way = await page.getByRole('link', { name: 'switching' }).getAttribute('href')
    await page.goto(stage.url + new URL(way ?? '').pathname)
    await page.getByLabel('Your link').fill('ada/talk')
    await page.getByRole('button', { name: 'Show it' }).click()
    await page.waitForURL(/link=ada%2Ftalk$/)
    const { publicUrl } = stage.context
    for (const side of ['before', 'after'] as const) {
      const shown = await page.getByRole('region', { name: new RegExp(`: ${side}$`) }).allTextContents()
      const all = [
        ...calcomSwitches(publicUrl, 'ada/talk'),
        ...calendlySwitches(publicUrl, 'ada/talk'),
        programSwitch(publicUrl),
      ]
      assert.deepEqual(
        shown,
        all.map((one) => one[side]),
      )
    }
    // Both are alive, side by side.
    await page.locator('.calendly-inline-widget iframe').contentFrame().locator('.slot').first().waitFor()
    await page.getByRole('button', { name: 'Book a time' }).click()
    const dialog = page.getByRole('dialog')
    await page.locator('cal-modal-box > iframe').contentFrame().locator('.slot').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await assertFramesAccessible(page)
  })

  it('shows those who switch no example of an unknown link', async () => {
    for (const query of ['', '?link=nobody/nothing', '?link=%22%3E%3Cscript%3E', '?link=ada/talk&link=x']) {
      const page = await stage.visit(`/docs/switching${query}`)
      await page.getByText('With a link that can be booked here').waitFor()
      assert.equal(await page.locator('iframe, script').count(), 0, query)
    }
  })

  it('has live examples, from this service only', async () => {
    const page = await stage.visit('/docs')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    // The way there that a reader takes, on whichever address this is.
    const way = await page.getByRole('link', { name: 'the widget' }).getAttribute('href')
    await page.goto(`${stage.url}${new URL(way ?? '').pathname}?link=ada/talk`)
    await page.locator('.live iframe').contentFrame().locator('.slot').first().waitFor()
    const [popup, floating] = await page.getByRole('button', { name: 'Book a time' }).all()
    for (const opener of [popup, floating]) {
      await opener?.click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('iframe').contentFrame().locator('.slot').first().waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    for (const url of requests) assert.ok(url.startsWith(stage.url), url)
    await assertFramesAccessible(page)
  })

  it('has live examples of a routing form', async () => {
    const page = await stage.visit('/docs/embed?link=ada/forms/contact')
    await page.locator('.live iframe').contentFrame().getByLabel('Topic').waitFor()
  })

  it('has no example for an unknown link, and says how to see one', async () => {
    for (const query of [
      '',
      '?link=nobody/nothing',
      '?link=ada/forms/none',
      '?link=%22%3E%3Cscript%3E',
      '?link=ada/talk&link=x',
    ]) {
      const page = await stage.visit(`/docs/embed${query}`)
      await page.getByText('/docs/embed?link=your-name/your-event').waitFor()
      assert.equal(await page.locator('iframe, script').count(), 0, query)
    }
  })
})
