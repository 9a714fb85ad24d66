import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { runDueJobs } from '../../../../test/jobs.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  MONDAY_NOON,
  plainSurroundings,
  stoppedClock,
} from '../../../../test/kit.ts'
import { type SmtpSink, startSmtpSink } from '../../../../test/smtp-sink.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../../../../test/webhook-receiver.ts'
import { addDelivery, addWebhook } from '../../../../test/webhooks.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import type { JobKind } from '../../../domain/job.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import { type SmtpMailer, smtpMailer } from '../../../outside/mail/mail.ts'
import { createWebhookSender, type WebhookSender } from '../../../outside/webhooks/webhook.ts'
import type { Context } from '../../../services/context.ts'
import type { Surroundings } from '../../../services/surroundings.ts'
import { MIGRATIONS } from '../../../store/engine/migrations.ts'
import { openDatabase } from '../../../store/engine/open-database.ts'
import { pairOf } from '../../../store/sentences.ts'
import type { SystemView } from './system.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const NONE = { waiting: 0, running: 0, scheduled: 0, failing: 0, givenUp: 0, oldestAt: null }

onEveryDatabase('/api/admin/system', ({ db, url, engine }) => {
  let app: FastifyInstance
  /** The one whose mail goes out by SMTP. */
  let context: Context
  let surroundings: Surroundings
  let folder: string
  let sink: SmtpSink
  let mailer: SmtpMailer
  let receiver: WebhookReceiver
  let sender: WebhookSender
  let host: Scheduler
  let talk: EventType
  let ada: Host
  let bob: Host
  const clock = stoppedClock()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-system-'))
    sink = await startSmtpSink()
    mailer = smtpMailer(sink.url, 'Punctual <book@example.com>')
    receiver = await startWebhookReceiver()
    sender = createWebhookSender({ allowPrivate: true })
    surroundings = {
      ...plainSurroundings,
      version: '1.2.3',
      commit: 'abc',
      dataDir: join(folder, 'data'),
      smtpUrl: sink.url.replace('smtp://', 'smtp://user:hunter2@'),
      backupDir: join(folder, 'backups'),
      // On SQLite, the file stands in for a URL.
      databaseUrl: engine === 'postgres' ? url() : '',
      sqliteFile: url(),
      openStore: (options, at = url()) => openDatabase(at, options),
    }
    const under = await appOn(db(), { now: clock.now, signup: 'open', surroundings, webhooks: sender })
    app = under.app
    await app.listen({ port: 0, host: '127.0.0.1' })
    Object.assign(surroundings, {
      publicUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    })
    context = { ...under.context, mailer: mailer.send }
    ada = await signIn(app, under.mailbox, 'ada@hosts.example')
    bob = await signIn(app, under.mailbox, 'bob@hosts.example')
    host = await addUser(db(), 'host')
    talk = await addEventType(db(), host)
  })
  after(async () => {
    await app?.close()
    await mailer?.close()
    await sink?.close()
    sender?.close()
    await receiver?.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    for (const table of ['outbox', 'webhooks', 'leases'] as const) await db().deleteFrom(table).execute()
    sink.accept()
    sink.received.splice(0)
    receiver.answer(says(204))
  })

  async function read(headers: Record<string, string> = {}): Promise<SystemView> {
    const answer = await ada.get('/system', headers)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const kindOf = ({ queue }: SystemView, wanted: JobKind) => {
    const { kind, ...counts } = queue.find(({ kind }) => kind === wanted) ?? assert.fail(wanted)
    return counts
  }
  const failedWith = (reason: Sentence) => {
    const { text, parts } = pairOf(reason)
    return { error: text, error_parts: parts }
  }
  const addJob = (given: object = {}) =>
    db()
      .insertInto('outbox')
      .values({
        kind: 'mail',
        lane: null,
        data: '{}',
        due_at: MONDAY_NOON,
        created_at: MONDAY_NOON,
        ...given,
      })
      .execute()
  let days = 0
  /** A booking, with an email to the guest and one to the host. */
  async function book(): Promise<void> {
    const startsAt = MONDAY_NOON + ++days * 7 * DAY + DAY - 2 * HOUR
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/host/${talk.slug}/book`,
      payload: bookingOf(talk, startsAt),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    await runDueJobs(context)
  }
  const retry = (id: string) => ada.post(`/system/failing/${id}/retry`)
  const retryAll = async (kind: JobKind): Promise<number> => {
    const answer = await ada.post('/system/failing/retry', { kind })
    assert.equal(answer.statusCode, 202, answer.body)
    return answer.json().retried
  }

  it('is for admins of the instance alone', async () => {
    await addJob({ attempts: 1, failed_at: MONDAY_NOON, error: 'no' })
    const [failed] = (await read()).failing
    const asked = (who: Pick<Host, 'get' | 'post'>) =>
      Promise.all([
        who.get('/system'),
        who.post('/system/checks'),
        who.post(`/system/failing/${failed?.id}/retry`),
        who.post('/system/failing/retry', { kind: 'mail' }),
      ])
    for (const { statusCode } of await asked(bob)) assert.equal(statusCode, 403)
    assert.equal((await bob.post('/system/failing/retry', { kind: 'mail', knid: 1 })).statusCode, 403)
    for (const { statusCode } of await asked(bearer(app, 'nonsense'))) assert.equal(statusCode, 401)
    const { token } = (await ada.post('/tokens', { name: 'Watch', scopes: ['read'] })).json()
    const answers = await asked(bearer(app, token))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 403, 403, 403],
    )
    assert.deepEqual((await read()).failing, [failed])
  })

  it('tells version, database and storage', async () => {
    const before = await read()
    assert.deepEqual([before.version, before.commit, before.node], ['1.2.3', 'abc', process.versions.node])
    assert.ok(Math.abs(Date.parse(before.startedAt) - performance.timeOrigin) < 1000)
    const { version, sizeBytes, connections, ...database } = before.database
    assert.deepEqual(database, { engine, migration: MIGRATIONS.at(-1)?.name })
    assert.match(version, engine === 'sqlite' ? /^SQLite 3\./ : /^PostgreSQL \d\d/)
    assert.ok(sizeBytes > 100_000 && sizeBytes < 1_000_000_000, String(sizeBytes))
    if (engine === 'sqlite') assert.equal(connections, null)
    else assert.ok(connections !== null && connections.max >= connections.inUse + connections.idle)
    assert.equal(before.backups, null)

    const { storage } = before
    assert.deepEqual([storage.folder, storage.dataBytes], [surroundings.dataDir, 0])
    assert.ok(storage.freeBytes !== null && storage.totalBytes !== null)
    assert.ok(storage.freeBytes > 0 && storage.freeBytes <= storage.totalBytes)
    await mkdir(join(surroundings.dataDir, 'mail'), { recursive: true })
    await writeFile(join(surroundings.dataDir, 'mail', 'one.eml'), 'x'.repeat(300))
    await writeFile(join(surroundings.dataDir, 'two'), 'x'.repeat(50))
    assert.equal((await read()).storage.dataBytes, 350)
  })

  it('counts jobs by kind, and says since when the oldest has been due', async () => {
    await addJob({ due_at: MONDAY_NOON - 5 * MINUTE })
    await addJob()
    // By the clock of the database, which is today's.
    await addJob({ leased_until: Date.now() + MINUTE })
    await addJob({ kind: 'reminder', due_at: MONDAY_NOON + DAY })
    await addJob({ kind: 'webhook', due_at: MONDAY_NOON + MINUTE, attempts: 3, error: 'no' })
    await addJob({ kind: 'webhook', attempts: 9, failed_at: MONDAY_NOON, error: 'no' })
    await addDelivery(db(), await addWebhook(db(), host))
    await addDelivery(db(), await addWebhook(db(), host, { active: false }))
    const system = await read()
    assert.deepEqual(kindOf(system, 'mail'), {
      ...NONE,
      waiting: 2,
      running: 1,
      oldestAt: '2027-01-11T11:55:00Z',
    })
    assert.deepEqual(kindOf(system, 'reminder'), { ...NONE, scheduled: 1 })
    // One job, and one delivery; a webhook that is turned off wants nothing.
    assert.deepEqual(kindOf(system, 'webhook'), { ...NONE, scheduled: 1, failing: 1, givenUp: 2 })
    assert.deepEqual(kindOf(system, 'calendar-write'), NONE)
    assert.equal(system.failing.length, 3)
  })

  it('says why something failed in the reader’s language, and names nobody', async () => {
    const answered = '550 5.1.1 <grace@guests.example>: unknown user <grace>, grace@guests.example'
    const refusal = failedWith(sentence`The mail server refuses the recipient: ${answered}`)
    const data = JSON.stringify({ to: 'grace@guests.example', name: 'Grace' })
    await addJob({ attempts: 1, failed_at: MONDAY_NOON, ...refusal, data })
    await addJob({
      kind: 'webhook',
      attempts: 2,
      due_at: MONDAY_NOON + HOUR,
      ...failedWith(sentence`The response was ${500}.`),
      created_at: MONDAY_NOON + 1000,
    })
    const webhook = await addWebhook(db(), host, { url: 'https://hooks.example.com/secret-token' })
    await addDelivery(db(), webhook, { body: '{"email":"grace@guests.example"}', createdAt: 0 })
    const answer = await ada.get('/system', { 'accept-language': 'de' })
    assert.doesNotMatch(answer.body, /grace|guests\.example|secret-token|hunter2|hooks\.example/i)
    const { failing } = answer.json() as SystemView
    assert.deepEqual(
      failing.map(({ id, ...rest }) => rest),
      [
        {
          kind: 'webhook',
          attempts: 2,
          error: 'Die Antwort war 500.',
          createdAt: '2027-01-11T12:00:01Z',
          nextAttemptAt: '2027-01-11T13:00:00Z',
        },
        {
          kind: 'mail',
          attempts: 1,
          error:
            'Der Mailserver lehnt den Empfänger ab: 550 5.1.1 <address>: unknown user <address>, <address>',
          createdAt: '2027-01-11T12:00:00Z',
          nextAttemptAt: null,
        },
        {
          kind: 'webhook',
          attempts: 1,
          error: 'Die Antwort war 500.',
          createdAt: '1970-01-01T00:00:00Z',
          nextAttemptAt: null,
        },
      ],
    )
  })

  it('retries an email that was given up, and it is sent', async () => {
    sink.refuse('RCPT TO', 550)
    await book()
    const { failing } = await read()
    assert.deepEqual(
      failing.map(({ kind, nextAttemptAt }) => [kind, nextAttemptAt]),
      [
        ['mail', null],
        ['mail', null],
      ],
    )
    sink.accept()
    await runDueJobs(context)
    assert.equal(sink.received.length, 0)
    const answer = await retry(failing[0]?.id ?? '')
    assert.deepEqual([answer.statusCode, answer.json()], [202, { retried: 1 }])
    await runDueJobs(context)
    assert.equal(sink.received.length, 1)
    assert.equal((await read()).failing.length, 1)
    // It is not there any more.
    assert.equal((await retry(failing[0]?.id ?? '')).statusCode, 404)
  })

  it('retries all emails that wait for their next attempt, and only those that have failed', async () => {
    sink.refuse('RCPT TO', 451)
    await book()
    const later = MONDAY_NOON + 30 * DAY
    await addJob({ due_at: later })
    assert.deepEqual(kindOf(await read(), 'mail'), { ...NONE, scheduled: 3, failing: 2 })
    sink.accept()
    assert.equal(await retryAll('webhook'), 0)
    await runDueJobs(context)
    assert.equal(sink.received.length, 0)
    assert.equal(await retryAll('mail'), 2)
    await runDueJobs(context)
    assert.equal(sink.received.length, 2)
    const left = await db().selectFrom('outbox').select('due_at').where('kind', '=', 'mail').execute()
    assert.deepEqual(left, [{ due_at: later }])
  })

  it('sends deliveries again that failed for good: one, or all', async () => {
    const webhook = await addWebhook(db(), host, { url: receiver.url })
    const off = await addWebhook(db(), host, { url: receiver.url, active: false })
    const [one, , , unwanted] = [
      await addDelivery(db(), webhook),
      await addDelivery(db(), webhook),
      await addDelivery(db(), webhook),
      await addDelivery(db(), off),
    ]
    assert.equal((await retry(one.id)).statusCode, 202)
    await runDueJobs(context)
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [one.id],
    )
    assert.equal((await retry(one.id)).statusCode, 404)
    assert.equal((await retry(unwanted?.id ?? '')).statusCode, 404)
    assert.equal(await retryAll('webhook'), 2)
    await runDueJobs(context)
    assert.equal(receiver.received.length, 3)
    assert.deepEqual(kindOf(await read(), 'webhook'), NONE)
  })

  it('refuses what it can’t retry, in a sentence', async () => {
    for (const id of ['999999', UNKNOWN_ID, 'nonsense', '0', '1e3']) {
      const answer = await retry(id)
      assert.equal(answer.statusCode, 404, id)
      assert.match(answer.json().error, /\.$/)
    }
    for (const body of [{ kind: 'post' }, { kind: 5 }, {}]) {
      const answer = await ada.post('/system/failing/retry', body)
      assert.equal(answer.statusCode, 400, JSON.stringify(body))
    }
  })

  it('tells when backups were and will be made, and what they take', async () => {
    Object.assign(surroundings, { backupEvery: DAY })
    try {
      const never = (await read()).backups ?? assert.fail()
      assert.deepEqual(
        [never.everySeconds, never.keep, never.folder, never.lastAt, never.files, never.bytes],
        [86_400, surroundings.backupKeep, surroundings.backupDir, null, 0, 0],
      )
      assert.equal(never.nextAt, '2027-01-11T12:00:00Z')
      await mkdir(surroundings.backupDir, { recursive: true })
      await writeFile(join(surroundings.backupDir, 'punctual-20270111T060000000Z.jsonl.gz'), 'x'.repeat(70))
      await writeFile(join(surroundings.backupDir, 'notes.txt'), 'mine')
      await db()
        .insertInto('leases')
        .values({ name: 'backup', leased_until: 0, done_at: MONDAY_NOON - 6 * HOUR })
        .execute()
      const backups = (await read()).backups ?? assert.fail()
      assert.deepEqual(
        [backups.lastAt, backups.nextAt, backups.files, backups.bytes],
        ['2027-01-11T06:00:00Z', '2027-01-12T06:00:00Z', 1, 70],
      )
      assert.ok((backups.freeBytes ?? 0) > 0)
    } finally {
      Object.assign(surroundings, { backupEvery: 0 })
    }
  })

  it('checks on request what the doctor checks, a few times a minute', async () => {
    const answer = await ada.post('/system/checks', undefined, { 'accept-language': 'de' })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.doesNotMatch(answer.body, /hunter2/)
    const { findings, checkedAt } = answer.json()
    assert.equal(checkedAt, '2027-01-11T12:00:00Z')
    const find = (wanted: string) =>
      findings.find(({ what }: { what: string }) => what === wanted) ?? assert.fail(wanted)
    assert.deepEqual(find('Einstellungen').state, 'warning')
    assert.match(find('Datenbank').says, /verbunden in \d+ ms$/)
    assert.equal(find('Migrationen').state, 'ok')
    assert.equal(find('PUBLIC_URL').says, `${surroundings.publicUrl} führt zum Dienst`)
    assert.match(find('DATA_DIR').says, / frei$/)
    assert.equal(find('E-Mail').says, `${new URL(sink.url).host} antwortet`)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await ada.post('/system/checks')).statusCode)
    assert.deepEqual(statuses.at(-1), 429)
    assert.equal(sink.received.length, 0)
  })
})
