import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { startFeedServer } from '../feed-server.ts'
import { addEventType, addUser, bookingOf, fromSomeoneNew, quietContext } from '../kit.ts'
import { addCalendar } from '../rows.ts'
import { alwaysOpen, connectTo, FUTURE_MIDNIGHT, freshHome, startServer } from '../server-process.ts'
import { startSmtpSink } from '../smtp-sink.ts'

/** The longest that another instance may have to wait, without the 5 seconds in which it looks for work. */
const LONGEST_LEASE = 9000

describe('an instance on PostgreSQL that is killed', () => {
  it('leaves the mail and the calendar that it had in hand to the other', { timeout: 400_000 }, async (t) => {
    const home = await freshHome('postgres')
    t.after(() => home.remove())
    const [sink, feeds] = [await startSmtpSink(), await startFeedServer()]
    t.after(() => sink.close())
    t.after(() => feeds.close())
    const host = await addUser(home.db, 'ada', alwaysOpen)
    const eventType = await addEventType(home.db, host, { durationMinutes: 15, reminderMinutes: [] })

    // What the first instance does comes to no end.
    const [hangs, arrives] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
    sink.judge(({ from, to }) => {
      if (from.startsWith('one@')) {
        hangs.resolve(to)
        return new Promise(() => {})
      }
      void hangs.promise.then((hanging) => hanging === to && arrives.resolve())
      return undefined
    })
    feeds.answer('/hangs.ics', () => {})
    const start = (name: string) =>
      startServer(home, {
        JWT_SECRET: quietContext.jwtSecret,
        SMTP_URL: sink.url,
        MAIL_FROM: `${name}@instances.example`,
        WEBHOOK_ALLOW_PRIVATE: 'on',
      })
    const one = await start('one')
    t.after(() => one.send('SIGKILL'))
    const read = feeds.nextAsked('/hangs.ics')
    await addCalendar(home.db, host.id, {
      kind: 'feed',
      url: `${feeds.url}/hangs.ics`,
      username: '',
      sealed_password: '',
      write_to: 0,
    })
    const guest = connectTo(one)
    t.after(() => guest.close())
    const path = `/api/public/scheduling/${host.slug}/${eventType.slug}/book`
    const booked = await guest.post(path, bookingOf(eventType, FUTURE_MIDNIGHT), fromSomeoneNew())
    assert.equal(booked.status, 201)
    await Promise.all([hangs.promise, read])

    // At once: what hangs is given up after ten seconds, and starting the other may take longer than that.
    one.send('SIGKILL')
    assert.equal((await one.exited).signal, 'SIGKILL')
    for (const table of ['outbox', 'calendars'] as const) {
      const { rows } = await sql<{ left: number }>`
        select leased_until - (extract(epoch from clock_timestamp()) * 1000)::bigint as left
        from ${sql.table(table)} where leased_until > 0`.execute(home.db)
      assert.ok(rows.length > 0, `${table}: something was in hand`)
      assert.ok(
        rows.every(({ left }) => Number(left) <= LONGEST_LEASE),
        table,
      )
    }
    const readAgain = feeds.nextAsked('/hangs.ics')
    const two = await start('two')
    t.after(() => two.send('SIGKILL'))
    await Promise.all([arrives.promise, readAgain])
    assert.ok(sink.received.every(({ from }) => from.startsWith('two@')))
  })
})
