import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { isChoice, QUESTION_TYPES } from '../../src/domain/event-types/questions.ts'
import { FORM_DEFAULTS } from '../../src/domain/forms/routing.ts'
import { sentence } from '../../src/domain/sentence.ts'
import { googleProvider } from '../../src/outside/calendars/google/google.ts'
import { insertConnection } from '../../src/store/calendars/connections.ts'
import { insertForm } from '../../src/store/forms/forms.ts'
import { newId } from '../../src/store/new-id.ts'
import { insertTeamMember } from '../../src/store/people/members.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { addForm } from '../forms.ts'
import { addEventType, addTeam, addUser, bookingOf, plainEventType } from '../kit.ts'
import { moveInCalendar } from '../rows.ts'
import { assertAccessible } from './axe.ts'
import { visitAsHost } from './host.ts'
import { openStage, type Stage } from './stage.ts'

/** Nothing is asked of it here. */
const GOOGLE = {
  clientId: 'id',
  clientSecret: 'secret',
  authorizeUrl: 'https://google.example/auth',
  tokenUrl: 'https://google.example/token',
  revokeUrl: 'https://google.example/revoke',
  apiUrl: 'https://google.example',
}
const LOST = {
  provider: 'google',
  subject: '1',
  account: 'ada@gmail.example',
  sealedTokens: '',
  expiresAt: 0,
  tokenRevision: 0,
  status: 'reconnect',
  lastError: sentence`${'Google'} has ended our access to this account.`,
  createdAt: 0,
} as const

const TUESDAY_TEN = Date.UTC(2027, 2, 23, 10)
const HOUR = 3_600_000

interface State {
  readonly name: string
  readonly path: string
  readonly reach?: (page: Page) => Promise<unknown>
  /** What is different from a state that was looked at as a whole. */
  readonly part?: string
  /** What has to be done before one can go on. */
  readonly end?: (page: Page) => Promise<unknown>
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (name: string) => async (page: Page) => {
  await press(name)(page)
  await page.locator('.dialog').waitFor()
}

describe('every page of the dashboard', () => {
  let stage: Stage
  let page: Page
  const ids = { eventType: '', booking: '', moved: '', team: '', form: newId(), crewForm: '' }

  before(async () => {
    stage = await openStage({ providers: { google: googleProvider(GOOGLE) } })
    const ada = await addUser(stage.db, 'ada')
    await addUser(stage.db, 'ben')
    await updateUser(stage.db, ada.id, { admin: true })
    const talk = await addEventType(stage.db, ada, {
      slug: 'talk',
      name: 'A talk',
      requiresApproval: true,
      questions: QUESTION_TYPES.map((type) => ({
        key: type,
        label: `A ${type}`,
        type,
        required: false,
        options: isChoice(type) ? ['Tea', 'Coffee'] : [],
      })),
    })
    ids.eventType = talk.id
    await insertForm(stage.db, {
      ...FORM_DEFAULTS,
      id: ids.form,
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
      rules: [
        {
          when: { any: [{ field: 'topic', operator: 'equals', value: 'tea' }] },
          target: { action: 'routeToEvent', eventTypeId: talk.id },
        },
        {
          when: { any: [{ all: [{ field: 'topic', operator: 'equals', value: 'tea' }] }] },
          target: { action: 'message', message: 'Tea is out.' },
        },
      ],
      fallback: { action: 'message', message: 'We will write to you.' },
      tests: [
        {
          name: 'Tea',
          answers: { topic: 'tea', gone: 'x' },
          expect: { action: 'routeToEvent', eventTypeId: talk.id },
        },
        { name: 'Coffee', answers: {}, expect: { action: 'message', message: 'No.' } },
      ],
    })
    ids.team = (await addTeam(stage.db, 'crew')).id
    await insertTeamMember(stage.db, { teamId: ids.team, userId: ada.id, role: 'owner' }, 0)
    const crewCall = { slug: 'crew-call', name: 'A crew call', assignment: 'round-robin' } as const
    const hosts = [{ hostId: ada.id, fixed: false }]
    const call = await addEventType(stage.db, { id: ids.team }, crewCall, hosts)
    const target = { action: 'routeToEvent', eventTypeId: call.id } as const
    const crewForm = await addForm(
      stage.db,
      { id: ids.team },
      {
        fields: [{ id: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
        rules: [{ when: { field: 'topic', operator: 'equals', value: 'tea' }, target }],
      },
    )
    ids.crewForm = crewForm.id
    const body = bookingOf(plainEventType(), TUESDAY_TEN)
    await stage.post('/api/public/scheduling/ada/talk/book', body)
    await stage.post('/api/public/routing/ada/contact/evaluate', { answers: { topic: 'tea' } })
    ids.booking = (await stage.db.selectFrom('bookings').select('id').executeTakeFirstOrThrow()).id
    await stage.db
      .transaction()
      .execute((trx) => insertConnection(trx, { ...LOST, id: newId(), userId: ada.id }))
    const second = bookingOf(plainEventType(), TUESDAY_TEN + HOUR)
    await stage.post('/api/public/scheduling/ada/talk/book', second)
    const { id } = await stage.db
      .selectFrom('bookings')
      .select('id')
      .where('invitee_email', '=', second.inviteeEmail)
      .executeTakeFirstOrThrow()
    ids.moved = id
    await moveInCalendar(stage.db, ids.moved, TUESDAY_TEN + 2 * HOUR, TUESDAY_TEN + 3 * HOUR)
    page = await visitAsHost(stage, 'ada@hosts.example', '/app/bookings')
  })
  afterEach(() => stage.assertNoComplaints())
  after(() => stage?.close())

  const STATES: readonly (() => State)[] = [
    () => ({ name: 'bookings', path: '/app/bookings?view=past' }),
    () => ({ name: 'the week', path: '/app/bookings?layout=week', part: 'main' }),
    () => ({ name: 'requests', path: '/app/bookings?view=pending', part: 'main' }),
    () => ({
      name: 'the question whether to decline',
      path: '/app/bookings?view=pending',
      reach: dialog('Decline'),
      part: '.overlay',
    }),
    () => ({ name: 'bookings that differ from a calendar', path: '/app/bookings', part: 'main' }),
    () => ({
      name: 'a booking that differs from a calendar',
      path: `/app/bookings/${ids.moved}`,
      part: 'main',
    }),
    () => ({ name: 'a booking', path: `/app/bookings/${ids.booking}`, part: 'main' }),
    () => ({
      name: 'another time for a booking',
      path: `/app/bookings/${ids.booking}`,
      reach: async (shown) => {
        await dialog('Reschedule')(shown)
        await shown.locator('.slot').first().waitFor()
      },
      part: '.overlay',
    }),
    () => ({ name: 'event types', path: '/app/event-types', part: 'main' }),
    () => ({
      name: 'a new event type',
      path: '/app/event-types',
      reach: dialog('New event type'),
      part: '.overlay',
    }),
    () => ({
      name: 'the editor of an event type, with a mistake',
      path: `/app/event-types/${ids.eventType}`,
      reach: async (shown) => {
        await shown.getByLabel('Duration', { exact: true }).fill('0')
        await press('Save changes')(shown)
        await shown.locator('.field .error').first().waitFor()
      },
      part: 'main',
    }),
    () => ({
      name: 'the link and the embed code of an event type',
      // Still there, with its mistake.
      path: `/app/event-types/${ids.eventType}`,
      reach: dialog('Share'),
      part: '.overlay',
      end: press('Close'),
    }),
    () => ({
      name: 'the question whether to discard unsaved changes',
      // Still there, with its mistake.
      path: `/app/event-types/${ids.eventType}`,
      reach: async (shown) => {
        await shown.getByRole('link', { name: 'Insights' }).click()
        await shown.locator('.dialog').waitFor()
      },
      part: '.overlay',
      end: press('Leave'),
    }),
    () => ({
      name: 'availability',
      path: '/app/availability',
      reach: (shown) =>
        shown
          .getByRole('gridcell')
          .getByRole('button', { name: /24 March/ })
          .click(),
      part: 'main',
    }),
    () => ({ name: 'time off', path: '/app/availability', reach: dialog('Add time off'), part: '.overlay' }),
    () => ({ name: 'forms', path: '/app/forms', part: 'main' }),
    () => ({
      name: 'the builder of forms, with a rule that never decides',
      path: `/app/forms/${ids.form}`,
      reach: async (shown) => {
        await shown.getByText('Rule 2 never decides').waitFor()
        await shown.getByRole('button', { name: /^If Topic is “tea” then “Tea is out/ }).click()
        await shown.getByLabel('Rule 2, condition 1, condition 1: answer').waitFor()
      },
      part: 'main',
    }),
    () => ({ name: 'responses', path: `/app/forms/${ids.form}?view=responses`, part: 'main' }),
    () => ({
      name: 'the funnel of a form',
      path: `/app/forms/${ids.form}/funnel`,
      reach: (shown) => shown.getByText('Where visitors leave').waitFor(),
      part: 'main',
    }),
    () => ({
      name: 'insights',
      path: '/app/insights',
      reach: async (shown) => {
        await shown.getByLabel('Period').selectOption('Next 30 days')
        await shown.locator('canvas').first().waitFor()
        await shown.getByText('Show as table').first().click()
      },
      part: 'main',
    }),
    () => ({ name: 'teams', path: '/app/teams', part: 'main' }),
    () => ({
      name: 'a team that defines an attribute',
      path: `/app/teams/${ids.team}`,
      reach: async (shown) => {
        await press('Add attribute')(shown)
        const fields = shown.getByRole('group', { name: 'Attribute 1' })
        await fields.getByLabel('Options').fill('EMEA\nAPAC')
        await fields.getByLabel('Name').fill('Home region')
        await press('Save changes')(shown)
        await shown.getByRole('button', { name: 'Import from CSV' }).waitFor()
      },
      part: 'main',
    }),
    () => ({
      name: 'the attributes of a member',
      path: `/app/teams/${ids.team}`,
      reach: async (shown) => {
        await dialog('Attributes of')(shown)
        await shown.getByRole('dialog').getByLabel('Home region').selectOption('APAC')
      },
      part: '.overlay',
      end: async (shown) => {
        await press('Save changes')(shown)
        await shown.getByText('Home region: APAC').waitFor()
      },
    }),
    () => ({
      name: 'a file of attributes',
      path: `/app/teams/${ids.team}`,
      reach: async (shown) => {
        await dialog('Import from CSV')(shown)
        const choose = (csv: string) =>
          shown
            .locator('input[type=file][accept*=csv]')
            .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
        await choose('email;home-region\nnobody@hosts.example;EMEA\n')
        await shown.getByText('One row is wrong').waitFor()
        await choose('email;home-region\nada@hosts.example;emea\n')
        await shown.getByText('Home region: EMEA (was: APAC)').waitFor()
      },
      part: '.overlay',
      end: async (shown) => {
        await press('Change 1 member')(shown)
        await shown.getByText('Home region: EMEA').waitFor()
      },
    }),
    () => ({
      name: 'a rule that chooses hosts',
      path: `/app/forms/${ids.crewForm}`,
      reach: async (shown) => {
        await shown.getByRole('button', { name: /A crew call/ }).click()
        await press('Choose hosts by attributes')(shown)
        await shown.getByLabel(/^Hosts.*(answer|value)/i).selectOption('the answer to “Topic”')
        await shown.getByText('Hosts whose Home region is the answer to “Topic”').first().waitFor()
        await press('Save changes')(shown)
        await shown.getByText('Saved', { exact: true }).first().waitFor()
      },
      part: 'main',
    }),
    () => ({
      name: 'calendars, and an account that has to be connected again',
      path: '/app/calendars?connection=denied&provider=google',
      reach: (shown) => shown.getByRole('button', { name: 'Reconnect ada@gmail.example' }).waitFor(),
      part: 'main',
    }),
    () => ({
      name: 'a new calendar',
      path: '/app/calendars',
      reach: dialog('Connect a calendar'),
      part: '.overlay',
    }),
    () => ({ name: 'webhooks', path: '/app/webhooks', part: 'main' }),
    () => ({ name: 'a new webhook', path: '/app/webhooks', reach: dialog('New webhook'), part: '.overlay' }),
    () => ({ name: 'the blocklist', path: '/app/blocklist', part: 'main' }),
    () => ({ name: 'privacy', path: '/app/privacy', part: 'main' }),
    () => ({ name: 'the profile', path: '/app/profile', part: 'main' }),
    () => ({
      name: 'deleting the account',
      path: '/app/profile',
      reach: dialog('Delete account'),
      part: '.overlay',
    }),
    () => ({ name: 'tokens', path: '/app/tokens', part: 'main' }),
    () => ({ name: 'the audit log', path: '/app/audit', part: 'main' }),
    () => ({ name: 'people', path: '/app/people', part: 'main' }),
    () => ({
      name: 'deleting a person',
      path: '/app/people',
      reach: dialog('Delete Name of ben'),
      part: '.overlay',
    }),
    () => ({ name: 'the guide', path: '/app/welcome', part: 'main' }),
    () => ({ name: 'nothing', path: '/app/nowhere', part: 'main' }),
  ]

  /** Goes there as the browser's own buttons do, and waits until everything has come. */
  const goTo = async (path: string) => {
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await page.waitForFunction(
      () =>
        document.querySelector('.dashboard h1') !== null &&
        document.querySelector('.dialog') === null &&
        document.querySelector('main .bar, main [aria-busy="true"]') === null,
    )
  }

  for (const stateOf of STATES) {
    it(`has nothing that axe would find: ${stateOf().name}`, async () => {
      const { name, path, reach, part, end } = stateOf()
      await goTo(path)
      await reach?.(page)
      await assertAccessible(page, name, part)
      await end?.(page)
    })
  }

  it('has nothing that axe would find: signing in', async () => {
    const stranger = await stage.visit('/app/sign-in')
    await stranger.getByLabel('Your email address').waitFor()
    await assertAccessible(stranger, 'signing in')
    await stranger.getByRole('button', { name: 'Send me a link' }).click()
    await stranger.locator('.error').waitFor()
    await assertAccessible(stranger, 'signing in with a mistake', 'main')
  })
})
