import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { appOn } from '../../../../test/kit.ts'
import { insertTeamMember } from '../../../store/people/members.ts'

const REGION = { key: 'region', label: 'Region', type: 'one', options: ['EMEA', 'APAC'] }
const LANGUAGES = { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en'] }
const NOTE = { key: 'note', label: 'Note', type: 'text', options: [] }

onEveryDatabase('attributes of members', ({ db }) => {
  let app: FastifyInstance
  let owner: Host
  let admin: Host
  let member: Host
  let stranger: Host
  let team: string

  before(async () => {
    const under = await appOn(db(), { signup: 'open' })
    app = under.app
    const enter = (name: string) => signIn(app, under.mailbox, `${name}@hosts.example`)
    owner = await enter('ada')
    admin = await enter('ben')
    member = await enter('cy')
    stranger = await enter('eve')
    team = (await owner.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    await insertTeamMember(db(), { teamId: team, userId: admin.user.id, role: 'admin' }, 0)
    await insertTeamMember(db(), { teamId: team, userId: member.user.id, role: 'member' }, 0)
  })

  const path = () => `/teams/${team}/attributes`
  const of = ({ user }: Host) => `/teams/${team}/members/${user.id}`
  const valuesOf = async (host: Host) => (await owner.get(of(host))).json().attributes
  const importCsv = (who: Pick<Host, 'token'>, csv: string | Buffer, query = '') =>
    app.inject({
      method: 'POST',
      url: `/api/admin${path()}/import${query}`,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'text/csv' },
      payload: csv,
    })

  it('is defined by admins, and read by every member', async () => {
    assert.deepEqual((await member.get(path())).json(), [])
    const { options: _, ...note } = NOTE
    const answer = await admin.put(path(), [REGION, LANGUAGES, note])
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json(), [REGION, LANGUAGES, NOTE])
    const read = await member.get(path())
    assert.deepEqual(read.json(), [REGION, LANGUAGES, NOTE])
    assert.equal(read.headers.etag, answer.headers.etag)

    assert.equal((await member.put(path(), [])).statusCode, 403)
    assert.equal((await stranger.put(path(), [])).statusCode, 404)
    assert.equal((await stranger.get(path())).statusCode, 404)
    assert.equal((await owner.put(path(), [], { 'if-match': '"other"' })).statusCode, 412)
    assert.deepEqual((await owner.get(path())).json(), [REGION, LANGUAGES, NOTE])
  })

  it('names the field that is wrong, in words', async () => {
    const cases: [object[], string, RegExp][] = [
      [
        [REGION, { ...NOTE, type: 'number' }],
        '1.type',
        /^The type of attribute 2 must be one of text, one, many/,
      ],
      [[{ ...REGION, options: ['a', ' '] }], '0.options.1', /^Option 2 of attribute 1 must not be empty/],
      [[{ ...NOTE, key: 'a.b' }], '0.key', /^The key of attribute 1 must be/],
      [[{ ...NOTE, extra: 1 }], '0.extra', /Unknown field/],
      [[{ key: 'a', type: 'text' }], '0.label', /^The label of attribute 1 is required/],
    ]
    for (const [body, field, message] of cases) {
      const answer = await owner.put(path(), body)
      assert.deepEqual([answer.statusCode, answer.headers['error-field']], [400, field], answer.body)
      assert.match(answer.json().error, message)
    }
    assert.equal((await owner.put(path(), { region: REGION })).statusCode, 400)
  })

  it('is set for a member by admins, beside their role', async () => {
    const attributes = { region: 'emea', languages: ['en', 'de'], note: 'Knows SAP' }
    const answer = await admin.patch(of(member), { attributes })
    assert.equal(answer.statusCode, 200, answer.body)
    const saved = { region: 'EMEA', languages: ['de', 'en'], note: 'Knows SAP' }
    assert.deepEqual([answer.json().role, answer.json().attributes], ['member', saved])
    const { items } = (await member.get(`/teams/${team}/members`)).json()
    const listed = items.find(({ userId }: { userId: string }) => userId === member.user.id)
    assert.deepEqual(listed.attributes, saved)

    // An admin says nothing about an owner's role, so this is theirs to set.
    assert.equal((await admin.patch(of(owner), { attributes: { region: 'APAC' } })).statusCode, 200)
    const both = await owner.patch(of(member), { role: 'admin', attributes: { note: null } })
    assert.deepEqual([both.json().role, both.json().attributes.note], ['admin', undefined])
    await owner.patch(of(member), { role: 'member' })
    assert.deepEqual(await valuesOf(member), { region: 'EMEA', languages: ['de', 'en'] })

    for (const [who, status] of [
      [member, 403],
      [stranger, 404],
    ] as const) {
      assert.equal((await who.patch(of(member), { attributes: { note: 'mine' } })).statusCode, status)
    }
    const refused = await owner.patch(of(member), { role: 'admin', attributes: { region: 'LATAM' } })
    assert.deepEqual([refused.statusCode, refused.headers['error-field']], [400, 'attributes.region'])
    assert.equal((await owner.get(of(member))).json().role, 'member', 'nothing of it is saved')
  })

  it('cannot lose what is set for a member, and names them', async () => {
    const answer = await owner.put(path(), [{ ...REGION, options: ['APAC'] }, LANGUAGES, NOTE])
    assert.equal(answer.statusCode, 409, answer.body)
    assert.match(answer.json().error, /"EMEA" \(Region\) is set for cy\./)
    assert.equal((await owner.put(path(), [REGION, NOTE])).statusCode, 409)
    assert.equal((await owner.put(path(), [REGION, { ...LANGUAGES, type: 'one' }, NOTE])).statusCode, 409)
    assert.deepEqual((await owner.get(path())).json(), [REGION, LANGUAGES, NOTE])
    const wider = { ...REGION, label: 'Market', options: ['EMEA', 'APAC', 'LATAM'] }
    assert.equal((await owner.put(path(), [wider, LANGUAGES, NOTE])).statusCode, 200)
  })

  it('comes from a file, of which a dry run says what would change', async () => {
    const csv = `email;region;note\n${member.user.email};LATAM;\n${admin.user.email};APAC;"a;b"\n`
    const before = [await valuesOf(member), await valuesOf(admin)]
    const dry = await importCsv(admin, csv, '?dryRun=true')
    assert.equal(dry.statusCode, 200, dry.body)
    const rows = [
      {
        row: 2,
        email: member.user.email,
        userId: member.user.id,
        name: 'cy',
        changes: [{ key: 'region', before: 'EMEA', after: 'LATAM' }],
        problem: null,
      },
      {
        row: 3,
        email: admin.user.email,
        userId: admin.user.id,
        name: 'ben',
        changes: [
          { key: 'region', before: null, after: 'APAC' },
          { key: 'note', before: null, after: 'a;b' },
        ],
        problem: null,
      },
    ]
    assert.deepEqual(dry.json(), { saved: false, rows })
    assert.deepEqual([await valuesOf(member), await valuesOf(admin)], before)

    const saved = await importCsv(admin, csv)
    assert.deepEqual(saved.json(), { saved: true, rows })
    assert.deepEqual(await valuesOf(member), { region: 'LATAM', languages: ['de', 'en'] })
    assert.deepEqual(await valuesOf(admin), { region: 'APAC', note: 'a;b' })
    const { items } = (await owner.get(`/audit?ownerId=${team}`)).json()
    assert.deepEqual(
      items
        .slice(0, 3)
        .map(({ action, objectType, changes }: Record<string, unknown>) => [action, objectType, changes])
        // All in one transaction, and perhaps in one millisecond.
        .sort(),
      [
        ['imported', 'team', ['attributes']],
        ['updated', 'team-member', ['attributes']],
        ['updated', 'team-member', ['attributes']],
      ],
    )
  })

  it('saves a file as a whole or not at all', async () => {
    const csv = `email,note\n${admin.user.email},new\nnobody@hosts.example,new\n`
    const dry = (await importCsv(admin, csv, '?dryRun=true')).json()
    assert.deepEqual(
      dry.rows.map(({ problem }: { problem: string | null }) => problem),
      [null, 'No member of this team has this email address.'],
    )
    const refused = await importCsv(admin, csv)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /^Nothing was saved\. Row 3: No member/)
    assert.equal((await valuesOf(admin)).note, 'a;b')

    const wrong: [string | Buffer, RegExp][] = [
      ['email,colour\n', /column "colour"/],
      [Buffer.from([0x65, 0xff]), /not UTF-8/],
      ['email,note\nx,"', /not closed/],
    ]
    for (const [file, message] of wrong) {
      const answer = await importCsv(admin, file, '?dryRun=true')
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, message)
    }
    assert.match((await admin.post(`${path()}/import`, {})).json().error, /as text\/csv/)
    assert.equal((await importCsv(admin, 'x'.repeat(1024 * 1024 + 1))).statusCode, 413)
  })

  it('refuses a file with far more rows than members, and lists the first problems', async () => {
    const huge = await importCsv(owner, `email\n${'a\n'.repeat(500_000)}`, '?dryRun=true')
    assert.equal(huge.statusCode, 400, huge.body.slice(0, 200))
    assert.match(huge.json().error, /more than 1,?000 rows/)
    assert.equal((await importCsv(owner, `email\n${'\n'.repeat(500_000)}`)).statusCode, 400)
    const wrong = await importCsv(owner, `email\n${'a\n'.repeat(1000)}`, '?dryRun=true')
    assert.equal(wrong.statusCode, 200, wrong.body.slice(0, 200))
    assert.equal(wrong.json().rows.length, 50)
  })

  it('is imported by admins only', async () => {
    const csv = `email,note\n${member.user.email},mine\n`
    for (const query of ['', '?dryRun=true']) {
      assert.equal((await importCsv(member, csv, query)).statusCode, 403)
      assert.equal((await importCsv(stranger, csv, query)).statusCode, 404)
      assert.equal((await importCsv(bearer(app, ''), csv, query)).statusCode, 401)
    }
  })

  it('leaves with the member', async () => {
    assert.equal((await owner.del(of(admin))).statusCode, 204)
    await insertTeamMember(db(), { teamId: team, userId: admin.user.id, role: 'admin' }, 0)
    assert.deepEqual(await valuesOf(admin), {})
  })
})
