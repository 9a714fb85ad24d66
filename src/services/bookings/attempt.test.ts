import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addUser, quietContext } from '../../../test/kit.ts'
import { type Decision, done, type Given, needs, refused } from '../../domain/bookings/decisions/decision.ts'
import { slotUnavailable } from '../../domain/bookings/decisions/refusals.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { createContext } from '../context.ts'
import { attempt } from './attempt.ts'

onEveryDatabase('the loop of every decision', ({ db }) => {
  let hostId: string
  before(async () => {
    hostId = (await addUser(db(), 'ada')).id
  })

  /** Decides with these one after the other, the last one again and again, and says how often plans were made. */
  async function attemptWith(...decisions: readonly ((given: Given) => Decision<string>)[]) {
    const captcha = { altchaSecret: '', services: {} }
    const context = createContext({ ...quietContext, db: db(), publicUrl: 'https://book.example', captcha })
    const prepared: boolean[] = []
    let made = 0
    const result = await attempt(
      context,
      (isOutdated) => {
        prepared.push(isOutdated)
        const decide = (_: unknown, given: Given) => {
          const next = decisions[Math.min(made++, decisions.length - 1)] as (given: Given) => Decision<string>
          return next(given)
        }
        return { question: { hostIds: [hostId] }, decide }
      },
      (refusal) =>
        refusal.code === 'slot_unavailable' ? new Problem('in_use', sentence`Explained.`) : refusal,
    ).catch((error: Problem) => error.code)
    return { result, prepared, made, again: context.decidedAgain }
  }
  const outdated = () => needs({ what: 'settings' })

  it('plans again with current settings, and counts why', async () => {
    const { result, prepared, again } = await attemptWith(outdated, () => done('booked'))
    assert.deepEqual([result, prepared], ['booked', [false, true]])
    assert.deepEqual(again, { settings: 1, calendars: 0, exemption: 0, answer: 0 })
  })

  it('gives up on settings that keep changing', async () => {
    const { result, made } = await attemptWith(outdated)
    assert.deepEqual([result, made], ['unavailable', 5])
  })

  it('throws a refusal as it is explained, after one decision', async () => {
    const { result, made } = await attemptWith(() => refused(slotUnavailable()))
    assert.deepEqual([result, made], ['in_use', 1])
  })

  it('decides again for someone who is exempt, without another plan, and refuses others', async () => {
    const beyond = (email: string) => (given: Given) => {
      if (given.found.exempt.open.size > 0) return done([...given.found.exempt.open].join())
      const otherwise = new Problem('too_many_bookings', sentence`Too many.`)
      return needs({ what: 'exemption', cap: 'open', email, otherwise })
    }
    const email = 'host@hosts.example'
    await db().updateTable('schedulers').set({ email }).where('id', '=', hostId).execute()
    const { result, prepared, made } = await attemptWith(beyond(email))
    assert.deepEqual([result, prepared, made], [email, [false], 2])
    assert.equal((await attemptWith(beyond('stranger@guests.example'))).result, 'too_many_bookings')
  })
})
