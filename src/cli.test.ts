import assert from 'node:assert/strict'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Instance, ONE_LINE, run, runHere, startInstance } from '../test/command-line.ts'
import { bearer, linkToken, signIn, verify } from '../test/host-api.ts'
import { addTeam } from '../test/kit.ts'
import { rowsOf } from '../test/rows.ts'
import { newId } from './store/new-id.ts'
import { insertPasskey } from './store/people/passkeys.ts'
import { readRelease } from './version.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/

describe('the command line', () => {
  const nowhere = { DATA_DIR: '/nonexistent/punctual' }

  it('explains itself and each of its commands, and needs no settings for that', async () => {
    const wrong = { DATABASE_URL: 'mysql://elsewhere', PORT: 'none' }
    const { code, stdout, stderr } = await run(['--help'], wrong)
    assert.deepEqual([code, stderr], [0, ''])
    const commands = [
      ...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)(?: FILE| USER\/EVENT| ID| \[ID\])? {2,}\S/gm),
    ].map(([, name = '']) => name)
    const expected =
      'migrate seed secret.rotate backup restore user.create user.list user.disable user.enable user.reset-passkeys user.delete token.create'
    assert.deepEqual(
      commands.map((name) => name.replace(' ', '.')),
      [
        ...expected.split(' '),
        'login-link',
        'erase',
        'invite',
        'link.create',
        'import.calcom',
        'import.calendly',
        'import.undo',
        'import.compare',
        'export',
        'import',
        'payments.check',
        'outbox.list',
        'outbox.retry',
        'doctor',
      ],
    )
    const one = await runHere(['user', 'create', '--help'], wrong)
    assert.deepEqual([one.code, one.stderr], [0, ''])
    for (const command of commands) {
      const help = await runHere([...command.split(' '), '--help'])
      assert.deepEqual([help.code, help.stderr], [0, ''], command)
      assert.ok(help.stdout.startsWith(`Usage: punctual ${command}`), help.stdout)
    }
    const group = await runHere(['user', '--help'], wrong)
    assert.equal(group.code, 0)
    assert.match(group.stdout, /user create[\s\S]*user enable/)
    assert.doesNotMatch(group.stdout, /token create/)
  })

  it('says which version and commit it is', async () => {
    const { version, commit } = readRelease()
    assert.deepEqual(await runHere(['--version']), {
      code: 0,
      stdout: `${`${version} ${commit}`.trim()}\n`,
      stderr: '',
    })
    assert.equal((await runHere(['--version', 'launch'])).code, 2)
  })

  it('refuses wrong usage with exit code 2 and one line that says why', async () => {
    const wrong: [string[], RegExp][] = [
      [[], /A command is missing/],
      [['launch'], /no command "launch"/],
      [['launch', '--help'], /no command "launch"/],
      [['user'], /one of create, list, disable, enable/],
      [['user', 'rename'], /one of create/],
      [['user', 'create'], /--email is missing/],
      [['user', 'create', '--email', ''], /--email is empty/],
      [['user', 'create', '--email', 'a@b.example', '--root'], /Unknown option '--root'/],
      [['user', 'list', 'everyone'], /"everyone" is an unexpected argument/],
      [['token', 'create', '--email', 'a@b.example', '--scope', 'all'], /--scope must be one of read, write/],
      [['token', 'create', '--email', 'a@b.example', '--days', '0'], /--days must be a whole number/],
      [['token', 'create', '--email', 'a@b.example', '--days', '1e3'], /--days must be a whole number/],
      [['invite', '--email', 'a@b.example', '--role', 'admin'], /--role needs --team/],
      [['invite', '--email', 'a@b.example', '--team', 'crew', '--role', 'king'], /--role must be one of/],
      [['backup'], /FILE is missing/],
      [['doctor', '--instances', '0'], /--instances must be a whole number/],
      [['restore', 'a', 'b'], /unexpected argument/],
      [['export', 'out.json'], /--user or --team is missing/],
    ]
    for (const [args, reason] of wrong) {
      const { code, stdout, stderr } = await runHere(args)
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr, ONE_LINE)
      assert.match(stderr, reason)
      assert.match(stderr, /See: punctual .*--help\n$/)
    }
    const { code, stdout, stderr } = await run(['user', 'create'], nowhere)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, ONE_LINE)
  })

  it('fails with one line if a setting is wrong or the database is unreachable', async () => {
    const broken: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: 'mysql://elsewhere' }, /DATABASE_URL must/],
      [{ JWT_SECRET: 'short' }, /JWT_SECRET must/],
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }, /ECONNREFUSED/],
      [{ DATABASE_URL: 'postgres://localhost:1/nothing' }, /ECONNREFUSED/],
    ]
    for (const [i, [env, reason]] of broken.entries()) {
      const { code, stdout, stderr } = await (i === 0 ? run : runHere)(['user', 'list'], env)
      assert.deepEqual([code, stdout], [1, ''], stderr)
      assert.match(stderr, ONE_LINE)
      assert.match(stderr, reason)
    }
  })
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the command line on ${engine}`, () => {
    let here: Instance
    before(async () => {
      here = await startInstance(engine)
    })
    after(() => here?.end())

    it('migrates a new database, and leaves one alone that is up to date', async () => {
      assert.equal(await here.do('migrate'), '')
      const before = await here.db().selectFrom('migrations').selectAll().execute()
      assert.equal(await here.do('migrate'), '')
      assert.deepEqual(await here.db().selectFrom('migrations').selectAll().execute(), before)
      if (engine === 'sqlite') {
        assert.equal((await stat(here.env.DATA_DIR as string)).mode & 0o777, 0o700)
        assert.equal((await stat(join(here.env.DATA_DIR as string, 'punctual.sqlite'))).mode & 0o777, 0o600)
      }
    })

    it('refuses to use a database that a newer version has migrated', async () => {
      const newer = { name: '900-later', ran_at: 0 }
      await here.db().insertInto('migrations').values(newer).execute()
      try {
        for (const command of ['migrate', 'user list', 'seed', 'outbox list', `backup ${here.folder}/b.gz`]) {
          assert.match(
            await here.refused(...command.split(' ')),
            /^The database belongs to a newer version of Punctual \(900-later\): use that version, or /,
          )
        }
      } finally {
        await here.db().deleteFrom('migrations').where('name', '=', newer.name).execute()
      }
    })

    it('adds users, lists them, and refuses those it cannot add', async () => {
      const first = await here.do(
        'user',
        'create',
        '--email',
        'Ada@Hosts.example',
        '--slug',
        'ada',
        '--name',
        'Ada',
        '--admin',
      )
      assert.match(first, UUID)
      assert.match(await here.do('user', 'create', '--email', 'ben@hosts.example'), UUID)
      const list = (await here.do('user', 'list')).trimEnd().split('\n')
      assert.deepEqual(
        list.map((line) => line.split('\t').slice(1)),
        [
          ['ada@hosts.example', 'ada', 'admin'],
          ['ben@hosts.example', 'ben'],
        ],
      )
      const [ada, ben] = JSON.parse(await here.do('user', 'list', '--json'))
      assert.deepEqual(ada, {
        id: first.trim(),
        email: 'ada@hosts.example',
        slug: 'ada',
        name: 'Ada',
        admin: true,
        disabled: false,
      })
      assert.equal(ben.admin, false)

      const create = (...args: string[]) => here.refused('user', 'create', ...args)
      assert.match(await create('--email', 'ADA@hosts.example'), /already has an account/)
      assert.match(await create('--email', 'nobody'), /email must look like/)
      assert.match(await create('--email', 'new@hosts.example', '--slug', 'ada'), /"ada" is already taken/)
      assert.match(await create('--email', 'new@hosts.example', '--slug', 'api'), /cannot be a slug/)
      assert.match(await create('--email', 'new@hosts.example', '--name', 'Two\nlines'), /one line/)
      assert.equal((await here.do('user', 'list')).trimEnd().split('\n').length, 2)
    })

    it('creates tokens that work within their scope, until their user is disabled', async () => {
      const { app } = await here.app()
      const token = await here.do('token', 'create', '--email', 'ada@hosts.example')
      assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
      const ada = bearer(app, token.trim())
      assert.equal((await ada.get('/me')).json().slug, 'ada')
      assert.equal((await ada.patch('/me', { bio: 'Changed.' })).statusCode, 200)
      const options = ['--scope', 'read', '--name', 'Reports', '--days', '7']
      const reading = await here.do('token', 'create', '--email', 'ada@hosts.example', ...options)
      const reader = bearer(app, reading.trim())
      assert.equal((await reader.get('/me')).statusCode, 200)
      assert.equal((await reader.patch('/me', { bio: 'Changed again.' })).statusCode, 403)
      const { api_tokens = [] } = await rowsOf(here.db())
      const reports = api_tokens.find(({ name }) => name === 'Reports')
      assert.equal(Number(reports?.expires_at) - Number(reports?.created_at), 7 * 24 * 3_600_000)

      const link = await here.do('login-link', '--email', 'ada@hosts.example')
      const session = (await verify(app, link.trim().split('#token=')[1] ?? '')).json()
      assert.equal((await bearer(app, session.accessToken).get('/me')).statusCode, 200)

      const disable = ['user', 'disable', '--email', 'ada@hosts.example'] as const
      assert.match(await here.refused(...disable), /only admin/)
      await here.db().updateTable('schedulers').set({ admin: 1 }).where('slug', '=', 'ben').execute()
      assert.match(await here.do(...disable), UUID)
      for (const old of [token.trim(), reading.trim(), session.accessToken]) {
        assert.equal((await bearer(app, old).get('/me')).statusCode, 401)
      }
      assert.match(await here.do('user', 'list'), /\tada\tadmin\tdisabled\n/)
      assert.match(await here.refused('token', 'create', '--email', 'ada@hosts.example'), /disabled/)
      assert.match(await here.refused('login-link', '--email', 'ada@hosts.example'), /no account/)

      assert.match(await here.do('user', 'enable', '--email', 'ada@hosts.example'), UUID)
      for (const old of [token.trim(), reading.trim(), session.accessToken]) {
        assert.equal((await bearer(app, old).get('/me')).statusCode, 401)
      }
      assert.equal(await here.do('erase', '--email', 'x@guests.example'), '{"bookings":0,"responses":0}\n')
      assert.match(await here.refused('erase', '--email', 'nobody'), /email must be an email address/)
      const renewed = await here.do('token', 'create', '--email', 'ada@hosts.example')
      assert.equal((await bearer(app, renewed.trim()).get('/me')).statusCode, 200)
      for (const command of ['token create', 'user disable', 'user enable']) {
        const reason = await here.refused(...command.split(' '), '--email', 'x@hosts.example')
        assert.match(reason, /no user with the address x@hosts.example/)
      }
    })

    it('removes the passkeys of someone who has lost them', async () => {
      const email = 'keys@hosts.example'
      const userId = (await here.do('user', 'create', '--email', email)).trim()
      const key = { id: newId(), userId, name: 'A key', credentialId: 'a-key', publicKey: 'none' }
      await insertPasskey(here.db(), { ...key, counter: 0, transports: [], createdAt: 0, lastUsedAt: null })
      const { app } = await here.app()
      const signInWithLink = async () => {
        const link = await here.do('login-link', '--email', email)
        return (await verify(app, link.trim().split('#token=')[1] ?? '')).json()
      }
      assert.equal((await signInWithLink()).accessToken, undefined, 'the passkey is asked for')
      assert.equal(await here.do('user', 'reset-passkeys', '--email', email), '1\n')
      const { accessToken } = await signInWithLink()
      assert.equal((await bearer(app, accessToken).get('/me')).statusCode, 200)
      assert.equal(await here.do('user', 'reset-passkeys', '--email', email), '0\n')
      assert.match(
        await here.refused('user', 'reset-passkeys', '--email', 'x@hosts.example'),
        /no user with the address x@hosts.example/,
      )
    })

    it('deletes users, and hands over what they have', async () => {
      const [leaving, staying] = ['leaving@hosts.example', 'staying@hosts.example']
      for (const email of [leaving, staying]) await here.do('user', 'create', '--email', email)
      const handOver = ['user', 'delete', '--email', leaving, '--hand-over-to']
      assert.match(await here.refused(...handOver, 'x@hosts.example'), /no user with the address/)
      assert.match(await here.refused(...handOver, leaving), /Choose someone else to take over/)
      assert.equal(await here.do(...handOver, staying), '0 handed over, 0 cancelled\n')
      assert.match(await here.refused('login-link', '--email', leaving), /no account|disabled/)
    })

    it('creates links that sign in once, for users who may sign in', async () => {
      const { app } = await here.app()
      const link = await here.do('login-link', '--email', 'ada@hosts.example')
      assert.match(link, /^https:\/\/book\.example\.com\/app\/sign-in#token=[\w-]{43}\n$/)
      const token = link.trim().split('#token=')[1] ?? ''
      const answer = await verify(app, token)
      assert.equal(answer.json().user.email, 'ada@hosts.example', answer.body)
      assert.equal((await verify(app, token)).statusCode, 400)
      const closed = await runHere(['login-link', '--email', 'x@hosts.example'], {
        ...here.env,
        SIGNUP: 'closed',
      })
      assert.equal(closed.code, 1)
      assert.match(closed.stderr, /x@hosts.example has no account here/)
    })

    it('makes private links to event types', async () => {
      const { app } = await here.app()
      const secret = await here.do('token', 'create', '--email', 'ada@hosts.example', '--name', 'links')
      const ada = bearer(app, secret.trim())
      const { slug } = (await ada.get('/me')).json()
      const made = await ada.post('/event-types', { slug: 'linked', name: 'Linked', durationMinutes: 30 })
      assert.equal(made.statusCode, 201, made.body)
      const link = await here.do('link', 'create', `${slug}/linked`, '--note', 'VIP')
      assert.match(link, /^https:\/\/book\.example\.com\/l\/[\w-]{43}\n$/)
      const token = link.trim().split('/l/')[1]
      const config = `/api/public/scheduling/${slug}/linked/abuse-config?link=${token}`
      assert.equal((await app.inject(config)).statusCode, 200)
      const [listed] = (await ada.get(`/event-types/${made.json().id}/links`)).json().items
      assert.deepEqual([listed.uses, listed.note], [1, 'VIP'])
      const unknown = await runHere(['link', 'create', `${slug}/nothing`], here.env)
      assert.deepEqual([unknown.code, ONE_LINE.test(unknown.stderr)], [1, true])
    })

    it('invites to the instance and to teams, and sends an email if a mail server is set', async () => {
      const crew = await addTeam(here.db(), 'crew')
      const link = /^https:\/\/book\.example\.com\/app\/sign-in#token=[\w-]{43}\n$/
      assert.match(await here.do('invite', '--email', 'Cy@guests.example'), link)
      assert.match(
        await here.do('invite', '--email', 'dee@guests.example', '--team', 'crew', '--role', 'owner'),
        link,
      )
      const { app, mailbox } = await here.app()
      const dee = await signIn(app, mailbox, 'dee@guests.example')
      assert.equal((await dee.get('/me')).json().teams[0].role, 'owner')
      assert.ok(linkToken(mailbox, 'dee@guests.example'))
      await signIn(app, mailbox, 'cy@guests.example')

      assert.match(await here.refused('invite', '--email', 'ada@hosts.example'), /already has an account/)
      assert.match(
        await here.refused('invite', '--email', 'dee@guests.example', '--team', 'crew'),
        /is already a member/,
      )
      assert.match(
        await here.refused('invite', '--email', 'e@guests.example', '--team', 'ada'),
        /no team "ada"/,
      )
      assert.match(await here.refused('invite', '--email', 'nobody'), /email must look like/)

      const server = await startMailServer()
      const args = ['invite', '--email', 'eve@guests.example', '--team', 'crew']
      const sent = await runHere(args, { ...here.env, SMTP_URL: server.url })
      assert.deepEqual([sent.code, sent.stderr], [0, ''])
      assert.match(sent.stdout, link)
      const [mail = ''] = await server.close()
      assert.match(mail, /To: eve@guests\.example/)
      assert.match(mail, new RegExp(`team ${crew.name}`))
    })

    it('leaves a record of every change, with nothing secret in it', async () => {
      const entries = (await here.db().selectFrom('audit').selectAll().execute()).filter(
        ({ actor }) => actor === 'command line',
      )
      assert.ok(entries.every(({ actor_id }) => actor_id === null))
      const kinds = new Set(entries.map(({ action, object_type }) => `${object_type} ${action}`))
      assert.deepEqual([...kinds].sort(), [
        'api-token created',
        'invitation created',
        'private-link created',
        'sign-in-link created',
        'user closed',
        'user created',
        'user disabled',
        'user enabled',
        'user passkeys removed',
        'user took over',
      ])
      assert.doesNotMatch(JSON.stringify(entries), /token=|eyJ/)
    })
  })
}

/** Takes emails and keeps them; closing it returns them. */
async function startMailServer(): Promise<{ readonly url: string; close(): Promise<string[]> }> {
  const mails: string[] = []
  const server = createServer((socket) => {
    let received = ''
    let inMail = false
    socket.setEncoding('utf8').write('220 ready\r\n')
    socket.on('data', (chunk: string) => {
      received += chunk
      for (;;) {
        const end = received.indexOf(inMail ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const line = received.slice(0, end)
        received = received.slice(end + (inMail ? 5 : 2))
        if (inMail) mails.push(line)
        const isData = !inMail && line === 'DATA'
        socket.write(isData ? '354 go on\r\n' : '250 fine\r\n')
        inMail = isData
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    async close() {
      server.close()
      await once(server, 'close')
      return mails
    },
  }
}
