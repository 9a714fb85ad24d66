import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ANA, BEN, itemOf, linesOf, member, planOf, SALES, TEAM } from '../../../../test/imports/rows.ts'
import { isSlug } from '../../people/slug.ts'

describe('people of a source', () => {
  it('come along as they are', () => {
    const plan = planOf({ users: [ANA] })
    assert.deepEqual(linesOf(plan), { 'users/1': 'new' })
    assert.deepEqual(itemOf(plan, 'user', 'users/1').content, {
      slug: 'ana',
      name: 'Ana',
      bio: '',
      avatarUrl: '',
      timeZone: 'Europe/Berlin',
      locale: 'de',
      theme: 'auto',
      branding: { primaryColor: '#2563eb', logoUrl: '' },
      email: 'ana@example.org',
      admin: false,
      disabled: false,
      exists: false,
      timeFormat: '24h',
      weekStart: 'monday',
      oldSlugs: [],
    })
  })

  it('keep the account that they have here', () => {
    const accounts = new Map([['ana@example.org', { slug: 'ana-here', admin: true }]])
    const plan = planOf({ users: [{ ...ANA, email: 'Ana@Example.org', role: 'ADMIN' }] }, { accounts })
    const { content } = itemOf(plan, 'user', 'users/1')
    assert.deepEqual(
      [content.slug, content.exists, content.admin, content.oldSlugs],
      ['ana-here', true, true, ['ana']],
    )
    assert.deepEqual(linesOf(plan), {
      'users/1': 'changed Has an account here already: its name, link and page stay.',
    })
  })

  it('get a number where a name is taken or reserved, and the lower id keeps it', () => {
    const users = [
      { ...BEN, id: 9, username: 'ana' },
      ANA,
      { ...ANA, id: 3, username: 'admin', email: 'c@example.org' },
      { ...ANA, id: 4, username: null, name: 'Zoë Straße', email: 'd@example.org' },
      { ...ANA, id: 5, username: 'Eve.Smith', email: 'e@example.org' },
    ]
    const plan = planOf({ users })
    const slugs = plan.settings.map((item) => item.kind === 'user' && [item.key, item.content.slug])
    assert.deepEqual(Object.fromEntries(slugs as [string, string][]), {
      'users/9': 'ana-2',
      'users/1': 'ana',
      'users/3': 'admin-2',
      'users/4': 'zoe-strasse',
      'users/5': 'eve-smith',
    })
    assert.deepEqual(plan.choices, [
      { kind: 'slug', key: 'users/3', wanted: 'admin', suggested: 'admin-2' },
      { kind: 'slug', key: 'users/9', wanted: 'ana', suggested: 'ana-2' },
    ])
    assert.equal(
      linesOf(plan)['users/5'],
      'changed The name in links is spelled “eve-smith” here. Links with “eve.smith” still work.',
    )
  })

  it('have the name that was chosen for them, if nobody else has it', () => {
    const users = [ANA, { ...BEN, username: 'ana' }]
    const chosen = planOf({ users }, {}, { slugs: { 'users/2': 'benny' } })
    assert.equal(itemOf(chosen, 'user', 'users/2').content.slug, 'benny')
    const taken = planOf({ users }, { slugs: new Set(['benny']) }, { slugs: { 'users/2': 'benny' } })
    assert.equal(itemOf(taken, 'user', 'users/2').content.slug, 'ana-2')
  })

  it('are named as in their organization, and its owners become admins', () => {
    const plan = planOf({
      users: [ANA, BEN],
      Team: [{ id: 7, name: 'Acme', slug: 'acme', isOrganization: true }, SALES],
      Membership: [
        member(1, 1, 7, 'OWNER'),
        member(2, 2, 7),
        member(3, 2, 5),
        member(4, 1, 5, 'ADMIN', false),
      ],
      Profile: [{ id: 1, userId: 2, organizationId: 7, username: 'ben.b' }],
    })
    assert.equal(itemOf(plan, 'user', 'users/1').content.admin, true)
    assert.equal(itemOf(plan, 'user', 'users/2').content.slug, 'ben-b')
    assert.deepEqual(itemOf(plan, 'user', 'users/2').content.oldSlugs, ['ben'])
    const lines = linesOf(plan)
    assert.match(lines['Team/7'] ?? '', /^same The organization is this whole service/)
    assert.match(lines['users/1'] ?? '', /^changed Becomes an admin/)
    assert.equal(lines['Membership/4'], 'left-out The invitation to a team was not accepted there.')
    assert.equal(lines['Team/5'], 'changed Has no owner who comes along, so Ben becomes the owner.')
    assert.deepEqual(itemOf(plan, 'team', 'Team/5').content.members, [
      { user: 'users/2', role: 'owner', attributes: {} },
    ])
  })

  it('stay there with a reason', () => {
    const plan = planOf(
      {
        users: [
          ANA,
          { ...BEN, email: 'ana@example.ORG' },
          { ...BEN, id: 3, email: 'nobody' },
          { ...ANA, id: 4, email: 'x@example.org' },
          { name: 'Broken' },
        ],
        Team: [SALES],
        Schedule: [{ id: 8, userId: 4, name: 'Theirs' }],
      },
      {},
      { leaveOut: ['users/4'] },
    )
    assert.deepEqual(linesOf(plan), {
      'users/1': 'new',
      'users/2': 'left-out Another person has the same email address.',
      'users/3': 'left-out This person has no email address that we can read, so they couldn’t sign in.',
      'users/4': 'left-out You chose to leave it out.',
      'users/#5': 'left-out This row has no id, so nothing can refer to it.',
      'Team/5': 'left-out None of its members come along.',
      'Schedule/8': 'left-out The person or team that it belongs to does not come along.',
    })
  })

  it('have the attributes that their team uses', () => {
    const plan = planOf({
      ...TEAM,
      Attribute: [
        { id: 'a', teamId: 7, type: 'SINGLE_SELECT', name: 'Region', slug: 'region', enabled: true },
        { id: 'b', teamId: 7, type: 'MULTI_SELECT', name: 'Languages', slug: 'languages', enabled: true },
        { id: 'c', teamId: 7, type: 'TEXT', name: 'Unused', slug: 'unused', enabled: true },
        { id: 'd', teamId: 7, type: 'TEXT', name: 'Off', slug: 'off', enabled: false },
      ],
      AttributeOption: [
        { id: 'a1', attributeId: 'a', value: 'EMEA' },
        { id: 'b1', attributeId: 'b', value: 'de' },
        { id: 'b2', attributeId: 'b', value: 'fr' },
      ],
      AttributeToUser: [
        { id: 'x', memberId: 1, attributeOptionId: 'a1' },
        { id: 'y', memberId: 2, attributeOptionId: 'b2' },
        { id: 'z', memberId: 2, attributeOptionId: 'b1' },
      ],
    })
    const { attributes, members } = itemOf(plan, 'team', 'Team/5').content
    assert.deepEqual(attributes, [
      { key: 'region', label: 'Region', type: 'one', options: ['EMEA'] },
      { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'fr'] },
    ])
    assert.deepEqual(
      members.map((one) => one.attributes),
      [{ region: 'EMEA' }, { languages: ['de', 'fr'] }],
    )
    assert.equal(linesOf(plan)['Attribute/d'], 'left-out The attribute is switched off there.')
  })

  it('have slugs that we take, and that nobody shares', () => {
    const names = ['ana', 'Ana', 'a n a', 'api', '', '日本', '-', 'x'.repeat(80), 'x'.repeat(90)]
    const users = names.map((username, index) => ({
      ...ANA,
      id: index,
      username,
      name: '',
      email: `p${index}@example.org`,
    }))
    const slugs = planOf({ users }).settings.map((item) => (item.kind === 'user' ? item.content.slug : ''))
    assert.ok(slugs.every(isSlug), slugs.join())
    assert.equal(new Set(slugs).size, names.length)
  })
})
