import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countPlan } from '../../../test/imports/count-plan.ts'
import { ANA, BEN, itemOf, linesOf, member, planOf, SALES, TEAM } from '../../../test/imports/rows.ts'
import { say } from '../sentence.ts'
import { tellCounts } from './count.ts'
import type { SourceRow } from './source.ts'

const INTRO: SourceRow = { id: 10, title: 'Intro', slug: 'intro', length: 30, userId: 1 }

describe('private links of a source', () => {
  it('keep their tokens, and count what is left', () => {
    const plan = planOf({
      users: [ANA],
      EventType: [INTRO],
      HashedLink: [
        { id: 1, link: 'token-1', eventTypeId: 10, maxUsageCount: 3, usageCount: 1 },
        {
          id: 2,
          link: 'token-2',
          eventTypeId: 10,
          expiresAt: '2026-07-01T00:00:00Z',
          maxUsageCount: 1,
          usageCount: 5,
        },
        { id: 3, link: 'token-3', eventTypeId: 10, maxUsageCount: 1, usageCount: 1 },
        { id: 4, link: 'token-4', eventTypeId: 10, expiresAt: '2026-01-01T00:00:00Z' },
        { id: 5, link: 'token-5', eventTypeId: 99 },
        { id: 6, link: '../admin', eventTypeId: 10 },
      ],
    })
    assert.deepEqual(itemOf(plan, 'link', 'HashedLink/1').content, {
      eventType: 'EventType/10',
      token: 'token-1',
      uses: 3,
      used: 1,
      expiresAt: null,
    })
    const { uses, expiresAt } = itemOf(plan, 'link', 'HashedLink/2').content
    assert.deepEqual([uses, expiresAt], [null, Date.UTC(2026, 6, 1)])
    const lines = linesOf(plan)
    assert.equal(lines['HashedLink/3'], 'left-out The link has been used up.')
    assert.equal(lines['HashedLink/4'], 'left-out The link has expired.')
    assert.match(lines['HashedLink/5'] ?? '', /^left-out The event type/)
    assert.equal(lines['HashedLink/6'], 'left-out Its link can’t be read.')
  })
})

describe('the blocklist of a source', () => {
  it('has addresses and domains, each once', () => {
    const plan = planOf({
      Watchlist: [
        { id: 'a', type: 'EMAIL', value: 'Spam@Example.net', action: 'BLOCK' },
        { id: 'b', type: 'DOMAIN', value: '*.junk.example', action: 'BLOCK' },
        { id: 'c', type: 'DOMAIN', value: 'junk.example', action: 'BLOCK' },
        { id: 'd', type: 'USERNAME', value: 'x', action: 'BLOCK' },
        { id: 'e', type: 'EMAIL', value: 'y@example.net', action: 'REPORT' },
        { id: 'f', type: 'EMAIL', value: 'no address', action: 'BLOCK' },
      ],
    })
    assert.deepEqual(
      plan.settings.map((item) => item.kind === 'block' && item.content.entry),
      ['spam@example.net', 'junk.example'],
    )
    assert.equal(plan.lines.filter(({ state }) => state === 'left-out').length, 4)
  })
})

describe('connections of a source', () => {
  it('come along where we can use them, with their calendars', () => {
    const tables = {
      users: [ANA, BEN],
      Credential: [
        { id: 1, type: 'google_calendar', userId: 1, key: { refresh_token: 'secret' } },
        { id: 2, type: 'caldav_calendar', userId: 2 },
        { id: 3, type: 'zoom_video', userId: 1 },
        { id: 4, type: 'google_calendar', userId: 1, invalid: true },
      ],
      SelectedCalendar: [
        { userId: 1, integration: 'google_calendar', externalId: 'a@example.org', credentialId: 1 },
      ],
      DestinationCalendar: [
        { id: 1, integration: 'google_calendar', externalId: 'b@example.org', userId: 1, credentialId: 1 },
      ],
    }
    const plan = planOf(tables, { calendarKinds: ['google'] })
    assert.deepEqual(itemOf(plan, 'connection', 'Credential/1').content, {
      user: 'users/1',
      provider: 'google',
      read: ['a@example.org'],
      write: 'b@example.org',
    })
    const lines = linesOf(plan)
    assert.match(lines['Credential/2'] ?? '', /Ben has to connect the calendar again/)
    assert.match(lines['Credential/3'] ?? '', /^left-out Apps don’t come along/)
    assert.match(lines['Credential/4'] ?? '', /^left-out The connection no longer works/)
    assert.doesNotMatch(JSON.stringify(plan), /secret/)
  })
})

describe('old links of a source', () => {
  it('lead to where their pages went', () => {
    const plan = planOf({
      users: [
        { ...ANA, username: 'Ana.B' },
        { ...BEN, username: 'sales' },
      ],
      Team: [{ id: 7, name: 'Acme', slug: 'acme', isOrganization: true }, SALES],
      Membership: [member(1, 1, 5, 'OWNER')],
      EventType: [
        INTRO,
        { ...INTRO, id: 11, userId: 2 },
        { ...INTRO, id: 20, slug: 'demo', userId: null, teamId: 5 },
      ],
      App_RoutingForms_Form: [{ id: 'f-1', name: 'Form', userId: 1, fields: [], routes: [] }],
    })
    assert.deepEqual(Object.fromEntries(plan.oldLinks.map(({ path, key }) => [path, key])), {
      '/ana.b': 'users/1',
      '/ana.b/intro': 'EventType/10',
      '/org/acme/ana.b': 'users/1',
      '/org/acme/ana.b/intro': 'EventType/10',
      '/org/acme/sales': 'users/2',
      '/org/acme/sales/intro': 'EventType/11',
      '/team/sales': 'Team/5',
      '/team/sales/demo': 'EventType/20',
      '/org/acme/team/sales': 'Team/5',
      '/org/acme/team/sales/demo': 'EventType/20',
      '/org/acme/sales/demo': 'EventType/20',
      '/forms/f-1': 'App_RoutingForms_Form/f-1',
    })
  })
})

describe('the counts of a plan', () => {
  it('are told by table and state', () => {
    const plan = planOf({ ...TEAM, EventType: [INTRO, { ...INTRO, id: 11, slug: 'b', length: null }] })
    assert.deepEqual(countPlan(plan.lines), {
      users: { new: 2 },
      Team: { new: 1 },
      EventType: { changed: 1, 'left-out': 1 },
    })
    assert.deepEqual(
      tellCounts(countPlan(plan.lines)).map((one) => say(one)),
      ['People: 2 as they are.', 'Teams: 1 as they are.', 'Event types: 1 changed, 1 left out.'],
    )
  })
})
