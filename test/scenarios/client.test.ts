import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient, type Punctual, PunctualError, readOwnLink } from '../../client/src/punctual-client.ts'
import { freshHome, type Home, type ServerProcess, startServer } from '../server-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

describe('the typed client', () => {
  let home: Home
  let server: ServerProcess
  let baseUrl: string
  let punctual: Punctual
  const intro = { userSlug: 'demo', eventSlug: 'intro' }
  const guest = {
    inviteeName: 'Grace Guest',
    inviteeEmail: 'grace@guest.example',
    inviteeTimezone: 'Europe/Berlin',
  }

  before(async () => {
    home = await freshHome('sqlite')
    server = await startServer(home, { DEMO: 'on' })
    baseUrl = `http://127.0.0.1:${server.port}`
    punctual = someoneNew()
  })
  after(async () => {
    server.send('SIGTERM')
    await server.exited
    await home.remove()
  })

  let clients = 0
  /** A client with its own IP address. */
  const someoneNew = () =>
    createClient({ baseUrl: `${baseUrl}/`, headers: { 'x-forwarded-for': `10.1.0.${++clients}` } })

  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const slotsOf = async (event: { userSlug: string; eventSlug: string }) => {
    const days = await punctual.listSlots({
      ...event,
      dateFrom: date(1),
      dateTo: date(14),
      timezone: 'Europe/Berlin',
    })
    return days.flatMap(({ slots }) => slots)
  }
  const failure = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => assert.fail('It worked.'),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof PunctualError, String(error))
    return error
  }

  it('reads a profile and books what it lists', async () => {
    const { eventTypes } = await punctual.getProfile({ userSlug: 'demo' })
    assert.ok(eventTypes.some(({ slug }) => slug === 'intro'))
    const [slot] = await slotsOf(intro)
    assert.ok(slot)
    const booking = await punctual.book({ ...intro, ...slot, ...guest })
    assert.equal(booking.status, 'Confirmed')
    assert.equal(booking.startTime, slot.startTime)
    assert.equal(booking.link.id, booking.id)
  })

  it('gets the sentence and the kind of error if a slot is taken', async () => {
    const [slot] = await slotsOf(intro)
    assert.ok(slot)
    await punctual.book({ ...intro, ...slot, ...guest })
    const other = { ...guest, inviteeEmail: 'someone-else@guest.example' }
    const error = await failure(punctual.book({ ...intro, ...slot, ...other }))
    assert.deepEqual([error.kind, error.status, error.operation], ['refused', 400, 'book'])
    assert.match(error.message, /^This time is no longer available/)
  })

  it('books once for one key', async () => {
    const [slot] = await slotsOf(intro)
    assert.ok(slot)
    const request = { ...intro, ...slot, ...guest, idempotencyKey: crypto.randomUUID() }
    const first = await punctual.book(request)
    const again = await punctual.book(request)
    assert.deepEqual(again, first)
    const error = await failure(punctual.book({ ...request, inviteeName: 'Someone Else' }))
    assert.match(error.message, /^This Idempotency-Key was used before/)
  })

  it('answers a form', async () => {
    const contact = { userSlug: 'demo', formSlug: 'contact' }
    const form = await punctual.getRoutingForm(contact)
    assert.ok(form.fields.some(({ id, required }) => id === 'reason' && required))
    const result = await punctual.evaluateRoutingForm({
      ...contact,
      answers: { reason: 'sales' },
      dryRun: 'true',
    })
    assert.deepEqual([result.action, result.eventTypeSlug], ['routeToEvent', 'intro'])
    const error = await failure(punctual.evaluateRoutingForm({ ...contact, answers: {} }))
    assert.deepEqual([error.kind, error.message], ['refused', '"What is it about?" is required.'])
  })

  it('reads, reschedules and cancels a booking by its link', async () => {
    const [slot, later] = await slotsOf(intro)
    assert.ok(slot && later)
    const { link } = await punctual.book({ ...intro, ...slot, ...guest })
    const own = await punctual.getOwnBooking(link)
    assert.equal(own.canCancel, true)
    assert.deepEqual(readOwnLink(own.manageUrl), link)
    assert.match(await punctual.getOwnCalendarFile(link), new RegExp(`UID:${link.id}@punctual\r\n`))
    const moved = await punctual.rescheduleOwnBooking({ ...link, startTime: later.startTime })
    assert.equal(moved.startTime, later.startTime)
    assert.equal((await punctual.cancelOwnBooking({ ...link, reason: 'Rain.' })).status, 'Cancelled')
    const late = await failure(punctual.rescheduleOwnBooking({ ...link, startTime: slot.startTime }))
    assert.equal(late.kind, 'conflict')
    const guessed = { ...link, token: 'guessed' }
    assert.equal((await failure(punctual.getOwnBooking(guessed))).kind, 'notFound')
    const { kind, message } = await failure(punctual.getOwnCalendarFile(guessed))
    assert.deepEqual([kind, message.slice(0, 25)], ['notFound', 'There is no such booking.'])
  })

  it('knows when to retry', async () => {
    const hasty = someoneNew()
    const [slot] = await slotsOf(intro)
    assert.ok(slot)
    const nowhere = { ...intro, ...slot, ...guest, inviteeEmail: 'not an address' }
    for (let turn = 0; turn < 15; turn++) assert.equal((await failure(hasty.book(nowhere))).kind, 'refused')
    const error = await failure(hasty.book(nowhere))
    assert.equal(error.kind, 'rateLimited')
    assert.ok(error.retryAfterSeconds !== undefined && error.retryAfterSeconds > 0)
  })

  it('stays on its path with any slug', async () => {
    for (const userSlug of ['', '.', '..', '../demo', 'demo/intro', '?', '#', '%2e%2e']) {
      assert.equal((await failure(punctual.getProfile({ userSlug }))).kind, 'notFound', userSlug)
    }
  })

  it('tells no response, an unexpected one and an aborted call apart', async () => {
    const unreachable = createClient({ baseUrl: 'http://127.0.0.1:1' })
    const error = await failure(unreachable.getProfile({ userSlug: 'demo' }))
    assert.deepEqual([error.kind, error.status], ['unreachable', 0])
    assert.ok(error.cause)
    const strange = createClient({ baseUrl, fetch: async () => new Response('<html>', { status: 502 }) })
    assert.equal((await failure(strange.getProfile({ userSlug: 'demo' }))).kind, 'unexpected')
    const reason = new Error('Never mind.')
    const call = punctual.getProfile({ userSlug: 'demo' }, { signal: AbortSignal.abort(reason) })
    await assert.rejects(call, reason)
  })

  describe('as a package', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'punctual-client-'))
      const place = join(folder, 'node_modules', 'punctual-client')
      await mkdir(place, { recursive: true })
      await cp(join(ROOT, 'client', 'package.json'), join(place, 'package.json'))
      await compile('-p', join(ROOT, 'client'), '--outDir', join(place, 'dist'))
    })
    after(() => rm(folder, { recursive: true }))

    it('has an example that works', async () => {
      const readme = await readFile(join(ROOT, 'client', 'README.md'), 'utf8')
      const [, example] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? []
      const file = join(folder, 'example.mjs')
      await writeFile(file, String(example).replace('http://localhost:3000', baseUrl))
      const { stdout, stderr } = await run(process.execPath, [file])
      assert.deepEqual([stdout.trim(), stderr], ['Cancelled', ''])
    })

    it('has types that refuse wrong calls', async () => {
      await writeFile(
        join(folder, 'use.mts'),
        `import { createClient, type Booking, type FailureKind, PunctualError } from 'punctual-client'
const punctual = createClient({ baseUrl: 'https://book.example.com' })
const booking: Booking = await punctual.book({
  userSlug: 'a', eventSlug: 'b', startTime: '', endTime: '', inviteeName: '', inviteeEmail: '', inviteeTimezone: '',
})
const status: 'Confirmed' | 'PendingPayment' | 'PendingApproval' | 'Declined' | 'Cancelled' | 'Expired' | 'Completed' | 'NoShow' = booking.status
const kindOf = (error: unknown): FailureKind | string => (error instanceof PunctualError ? error.kind : status)
// @ts-expect-error: a time zone is missing
await punctual.listSlots({ userSlug: 'a', eventSlug: 'b', dateFrom: '', dateTo: '' })
// @ts-expect-error: there is no such operation
await punctual.unbook({})
// @ts-expect-error: there is no such action
const led: 'nowhere' = (await punctual.evaluateRoutingForm({ userSlug: 'a', formSlug: 'b', answers: {} })).action
export { kindOf, led }
`,
      )
      const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }))
      await compile('-p', folder)
    })

    it('has no dependencies and no install scripts', async () => {
      const meta = JSON.parse(await readFile(join(ROOT, 'client', 'package.json'), 'utf8'))
      for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
        assert.equal(meta[field], undefined)
      }
      for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
        assert.equal(meta.scripts[script], undefined)
      }
    })
  })
})

/** Throws what the compiler says, if it says anything. */
async function compile(...args: string[]): Promise<void> {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [tsc, ...args]).catch((error: { stdout: string }) => assert.fail(error.stdout))
}
