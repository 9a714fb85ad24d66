import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { addForm } from '../forms.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType } from '../kit.ts'
import { cutOffOn } from './cut-off.ts'
import { signInPath } from './host.ts'
import { addJapaneseFont, JAPANESE } from './japanese-font.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)
const PHONE = { viewport: { width: 360, height: 740 } }

describe('the dashboard in the language of its host', () => {
  let stage: Stage
  let page: Page
  const paths: string[] = []

  before(async () => {
    stage = await openStage()
    const ada = await addUser(stage.db, 'ada')
    await stage.db.updateTable('schedulers').set({ locale: 'de', german_address: 'du' }).execute()
    const talk = await addEventType(stage.db, ada, { slug: 'talk', name: 'A talk', requiresApproval: true })
    const team = await addTeam(stage.db, 'crew')
    await insertTeamMember(stage.db, { teamId: team.id, userId: ada.id, role: 'owner' }, 0)
    const form = await addForm(stage.db, ada, {
      fields: [{ id: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
      rules: [
        {
          when: { field: 'topic', operator: 'endsWith', value: 'tea' },
          target: { action: 'message', message: 'Tea' },
        },
      ],
    })
    await stage.post('/api/public/scheduling/ada/talk/book', bookingOf(plainEventType(), TUESDAY_TEN))
    const { id } = await stage.db.selectFrom('bookings').select('id').executeTakeFirstOrThrow()
    const names =
      'bookings event-types availability forms insights teams calendars webhooks blocklist privacy profile'
    paths.push(
      ...`${names} tokens audit welcome`.split(' ').map((name) => `/app/${name}`),
      `/app/bookings/${id}`,
      '/app/bookings?layout=week',
      `/app/event-types/${talk.id}`,
      `/app/forms/${form.id}`,
      `/app/teams/${team.id}`,
      `/app/event-types/${talk.id}#messages`,
    )
  })
  afterEach(() => stage.assertNoComplaints())
  after(() => stage?.close())

  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

  /** Walks through the pages without loading the dashboard again. */
  const walk = async (): Promise<string[]> => {
    const found: string[] = []
    for (const path of paths) {
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await page.locator('.content h1').waitFor()
      await page.locator('.panel-loading, .row-skeleton').first().waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      if ((await overflowOf(page)) > 0) found.push(`${path} scrolls sideways`)
      found.push(...(await cutOffOn(page)).map((text) => `${path}: ${text}`))
    }
    return found
  }

  it('is German for a German browser, and says du to those who want it', async () => {
    page = await stage.visit(await signInPath(stage, 'ada@hosts.example'), { ...PHONE, locale: 'de-AT' })
    await page.getByText('Ein Klick, und Sie sind angemeldet.').waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de-AT')
    assert.deepEqual(await cutOffOn(page), [])
    // Another language keeps the token of the link.
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByText('Click to sign in.').waitFor()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByRole('button', { name: 'Bei Punctual anmelden' }).click()
    await heading('Buchungen')
    await page.getByText('Teile einen Buchungslink').or(page.getByText('Ann')).first().waitFor()
    await page.goto(`${stage.url}/app/event-types`)
    await page.getByText('Was Gäste bei dir buchen können.').waitFor()
  })

  it('leads through the main things in German', async () => {
    await page.getByRole('button', { name: 'Neue Terminart' }).click()
    const dialog = page.getByRole('dialog', { name: 'Neue Terminart' })
    await dialog.getByLabel('Name', { exact: true }).fill('Kennenlernen')
    assert.deepEqual(await cutOffOn(page), [])
    await dialog.getByRole('button', { name: 'Erstellen' }).click()
    await heading('Kennenlernen')
    await page.goto(stage.url + paths.find((path) => path.startsWith('/app/forms/')))
    await page.getByText('Besucher können diese Antworten nicht absenden: „Topic“').waitFor()
    await page.goto(`${stage.url}/app/bookings?view=pending`)
    await page.getByRole('button', { name: /annehmen$/ }).click()
    await page.getByText(/^Anfrage von .* angenommen$/).waitFor()
  })

  it('cuts nothing off on a phone, in German', async () => {
    assert.deepEqual(await walk(), [])
  })

  it('becomes Japanese where one chooses it, for good', async () => {
    await addJapaneseFont(page)
    await page.goto(`${stage.url}/app/event-types`)
    await page.getByRole('button', { name: 'Menü' }).click()
    await page.getByLabel('Sprache').selectOption('日本語')
    await heading('予約タイプ')
    assert.equal(await page.locator('html').getAttribute('lang'), 'ja')
    const { locale } = await stage.db
      .selectFrom('schedulers')
      .select('locale')
      .where('slug', '=', 'ada')
      .executeTakeFirstOrThrow()
    assert.equal(locale, 'ja')
    const drawn = (font: string) => document.fonts.check(`16px "${font}"`, '予約タイプ')
    await page.waitForFunction(drawn, JAPANESE)
    await page.getByRole('button', { name: '予約タイプを作成' }).click()
    const dialog = page.getByRole('dialog', { name: '予約タイプを作成' })
    await dialog.getByLabel('名前', { exact: true }).fill('ご相談')
    await dialog.getByLabel('予約リンク').fill('consulting')
    await dialog.getByRole('button', { name: '作成' }).click()
    await heading('ご相談')
  })

  it('cuts nothing off on a phone, in Japanese', async () => {
    assert.deepEqual(await walk(), [])
  })

  it('says refusals in that language, too', async () => {
    await page.goto(`${stage.url}/app/blocklist`)
    await page.getByLabel('メールアドレスまたはドメイン').fill('@@')
    await page.getByRole('button', { name: 'ブロック', exact: true }).click()
    await page
      .locator('.field .error, .alert')
      .filter({ hasText: /\p{Script=Hiragana}/u })
      .first()
      .waitFor()
  })
})
