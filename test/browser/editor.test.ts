import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { addEventType, addTeam, addUser } from '../kit.ts'
import { assertAccessible, assertFramesAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { pressUntil } from './press-until.ts'
import { openStage, overflowOf, type Stage } from './stage.ts'

describe('the editor of event types', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endTest())
  after(() => stage?.close())

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
  const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
  const framedIn = (page: Page) =>
    page.getByRole('region', { name: 'What guests see' }).frameLocator('iframe')

  it('shows the real booking page with unsaved questions, in any language, and books nothing', async () => {
    const host = await addUser(stage.db, 'framed')
    const { id } = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk' })
    const page = await visitAsHost(stage, 'framed@hosts.example', `/app/event-types/${id}`)
    const framed = framedIn(page)
    await framed.getByRole('button', { name: /^16:30/ }).click()
    await framed.getByRole('heading', { name: 'Your details' }).waitFor()
    await tab(page, 'Questions').click()
    await button(page, 'Add question').click()
    await page.getByLabel('Question', { exact: true }).fill('Which tea?')
    const typed = framed.getByLabel('Which tea?')
    await typed.fill('Green')
    await framed.getByLabel('Name').fill('Grace')
    await framed.getByLabel('Email').fill('grace@guests.example')
    await framed.getByRole('button', { name: /^(Book|Confirm)/ }).click()
    await framed.getByText('This is a preview: nothing is booked here.').waitFor()
    assert.deepEqual(await stage.db.selectFrom('bookings').select('id').execute(), [])
    await assertFramesAccessible(page)
    await button(page, 'Desktop').click()
    await page.getByRole('region', { name: 'What guests see' }).getByLabel('Language').selectOption('Deutsch')
    await framed.getByRole('heading', { name: 'A talk' }).waitFor()
    await framed.getByText('Videoanruf').first().waitFor()
    assert.equal(await overflowOf(page), 0)
    await page.setViewportSize({ width: 360, height: 740 })
    assert.equal(await overflowOf(page), 0, 'a desktop on a phone scrolls by itself')
  })

  it('saves limits, business days and choices, and names who stands in', async () => {
    const host = await addUser(stage.db, 'limited')
    const cleo = await addUser(stage.db, 'cleo')
    const pair = await addTeam(stage.db, 'pair')
    for (const { id: userId } of [host, cleo]) {
      await insertTeamMember(stage.db, { teamId: pair.id, userId, role: 'member' }, 0)
    }
    const { id } = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk' })
    const page = await visitAsHost(stage, 'limited@hosts.example', `/app/event-types/${id}`)
    await tab(page, 'Times').click()
    await page.getByLabel('Booking window').selectOption('Business days ahead')
    await page.getByLabel('Days ahead').fill('5')
    await page.getByRole('group', { name: 'Booking limits' }).getByLabel('Per year').fill('9')
    await page.getByRole('group', { name: 'Limits in minutes' }).getByLabel('Per day').fill('90')
    await tab(page, 'Questions').click()
    await button(page, 'Add question').click()
    await page.getByLabel('Question', { exact: true }).fill('Topics')
    await page.getByLabel('Answer type').selectOption('Several checkboxes')
    await page.getByLabel('Choices').fill('Tea\nCoffee')
    await page.getByRole('switch', { name: 'Required' }).click()
    const topics = framedIn(page).getByRole('group', { name: 'Topics' })
    await pressUntil(framedIn(page).getByRole('button', { name: /^16:30/ }), topics)
    await topics.getByLabel('Coffee').check()
    await page.getByRole('switch', { name: 'Hidden' }).click()
    assert.ok(await page.getByRole('switch', { name: 'Required' }).isDisabled())
    await button(page, 'Save changes').click()
    await button(page, 'Save changes').waitFor({ state: 'detached' })
    const saved = await stage.db
      .selectFrom('event_types')
      .select(['booking_window', 'limits', 'limit_minutes', 'questions'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const none = { day: null, week: null, month: null, year: null }
    assert.deepEqual(
      Object.values(saved).map((json) => JSON.parse(json)),
      [
        { kind: 'rolling', days: 5, businessDays: true },
        { ...none, year: 9 },
        { ...none, day: 90 },
        [
          {
            ...{ key: 'question-1', label: 'Topics', type: 'multiselect', required: false },
            ...{ options: ['Tea', 'Coffee'], hidden: true },
          },
        ],
      ],
    )

    await page.goto(`${stage.url}/app/availability`)
    await button(page, 'Add time off').click()
    await page.getByRole('dialog').getByLabel('Who stands in').selectOption(cleo.name)
    await page.getByRole('dialog').getByRole('button', { name: 'Add time off' }).click()
    await page.getByText(`${cleo.name} stands in.`).waitFor()
    await page.goto(`${stage.url}/limited/talk`)
    await page.getByRole('link', { name: `Book with ${cleo.name} instead` }).click()
    await page.waitForURL(/\/cleo$/)
  })

  it('lists times with hosts who are not saved', async () => {
    const ada = await addUser(stage.db, 'ada')
    const ben = await addUser(stage.db, 'ben')
    const crew = await addTeam(stage.db, 'crew')
    await insertTeamMember(stage.db, { teamId: crew.id, userId: ada.id, role: 'owner' }, 0)
    await insertTeamMember(stage.db, { teamId: crew.id, userId: ben.id, role: 'member' }, 0)
    const call = { slug: 'call', name: 'A call', assignment: 'round-robin' } as const
    const { id } = await addEventType(stage.db, crew, call, [])
    const page = await visitAsHost(stage, 'ada@hosts.example', `/app/event-types/${id}`)
    const none = 'Without hosts, nobody can book this. Choose at least one.'
    await tab(page, 'Hosts (incomplete)').waitFor()
    await button(page, none).click()
    await page.getByRole('region', { name: 'Hosts' }).locator(':focus').waitFor()
    await page.getByRole('switch', { name: ben.name }).click()
    await button(page, none).waitFor({ state: 'detached' })
    await framedIn(page)
      .getByRole('button', { name: /^16:30/ })
      .waitFor()
    await framedIn(page).getByText(ben.name).waitFor()
    assert.deepEqual(
      await stage.db
        .selectFrom('event_type_hosts')
        .select('host_id')
        .where('event_type_id', '=', id)
        .execute(),
      [],
    )
  })

  it('says what is missing on top and at the field, before saving', async () => {
    const host = await addUser(stage.db, 'lacking')
    const location = { type: 'Video', value: '' } as const
    const { id } = await addEventType(stage.db, host, { slug: 'talk', name: 'A talk', location })
    const page = await visitAsHost(stage, 'lacking@hosts.example', `/app/event-types/${id}`)
    await tab(page, 'Basics (incomplete)').waitFor()
    await tab(page, 'Guests').click()
    const link = page.getByLabel('Video link, or how to join')
    await button(page, /^Video calls have no link/).click()
    await link.and(page.locator(':focus')).waitFor()
    const described = (await link.getAttribute('aria-describedby'))?.split(' ').at(-1)
    assert.match(await page.locator(`[id="${described}"]`).innerText(), /^Video calls have no link/)
    await assertAccessible(page, 'an event type that lacks a link', 'main')
    await link.fill('https://meet.example/room')
    await button(page, /^Video calls have no link/).waitFor({ state: 'detached' })
    await tab(page, 'Spam protection').click()
    await page.getByLabel('CAPTCHA').selectOption({ index: 2 })
    await button(page, /^The keys of this CAPTCHA aren’t set up/).waitFor()
    await page.getByLabel('CAPTCHA').selectOption({ index: 0 })
    await tab(page, 'Times').click()
    await page.getByLabel('Booking window').selectOption('Within a date range')
    await page.getByLabel('Last day').fill('2027-06-04')
    await page.getByLabel('First day').fill('2027-06-01')
    await button(page, /^No time can be booked in the next 30 days/).waitFor()
    await tab(page, 'Times (incomplete)').waitFor()
  })
})
